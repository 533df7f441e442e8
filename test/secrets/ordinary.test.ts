// Lines of manuals, code, changelogs and chats that speak of passwords, tokens and secrets, and have none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';

const lines = readFileSync(join(import.meta.dirname, 'ordinary.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.replaceAll('⏎', '\n'));

/** A person would take these for passwords as well. */
const share = 0.02;

test('there are 300 of them, each another one', () => {
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(300);
});

test('at most 2 % of them are taken for secrets', () => {
  const taken = lines.filter((line) => findSecrets(line).length > 0);
  expect(taken.length, taken.join('\n')).toBeLessThanOrEqual(share * lines.length);
});

test('at most 2 % of them are where they stand among each other, too', () => {
  const all = lines.join('\n\nAnd so on.\n\n');
  const taken = findSecrets(all).map(({ start, end }) => all.slice(start, end));
  expect(taken.length, taken.join('\n')).toBeLessThanOrEqual(share * lines.length);
});
