import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { masked } from '../../src/secrets/masked.ts';
import { runs } from '../support/runs.ts';
import { namedSamples, pem, samples } from './samples.ts';

test.each(samples)('finds a %s', (kind, secret) => {
  const text = `# Server\n\nuse ${secret} there\n`;
  expect(findSecrets(text)).toEqual([{ start: 14, end: 14 + secret.length, line: 3, kind }]);
});

test.each(namedSamples)('finds a %s in "%s"', (kind, line, secret) => {
  const text = `Notes\n${line.replace('…', () => secret)}\n`;
  const start = text.indexOf(secret);
  const [found, ...more] = findSecrets(text);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ kind, line: text.slice(0, start).split('\n').length });
  expect(found?.start).toBeLessThanOrEqual(start);
  expect(found?.end).toBeGreaterThanOrEqual(start + secret.length);
});

test('knows more than thirty kinds', () => {
  const kinds = new Set([...samples, ...namedSamples].map(([kind]) => kind));
  expect(kinds.size).toBeGreaterThan(30);
});

test('looks at a note that says that it should not be looked at', () => {
  const [, secret] = samples[0] ?? [];
  expect(findSecrets(`<!-- secretlint-disable -->\n${secret}`)).toHaveLength(1);
});

test('gives a find the name of what knows it best', () => {
  const [kind, secret] = samples[0] ?? [];
  expect(findSecrets(`token: ${secret}`)).toMatchObject([{ kind, start: 7 }]);
});

test('finds a quoted password in code of one line, and ends before the quotation does', () => {
  const password = 'zhdFJZGFTViy';
  for (const text of [`- \`export DB_PASSWORD="${password}"\``, `set \`password="${password}"\`.`]) {
    const start = text.indexOf(password);
    expect(findSecrets(text)).toMatchObject([{ start, end: start + password.length, kind: 'password' }]);
  }
});

test('finds secrets side by side, in their order', () => {
  const found = findSecrets(`PIN: 4711\nPasswort: Geheim99 DE89 3704 0044 0532 0130 00 BANK`);
  expect(found).toMatchObject([
    { line: 1, kind: 'PIN' },
    { line: 2, kind: 'password', end: 28 },
    { line: 2, kind: 'IBAN', start: 29, end: 56 },
  ]);
});

test('finds a private key without an end, up to where its lines end', () => {
  const cut = pem.split('\n').slice(0, 4).join('\n');
  const text = `key:\n${cut}\n\nNext week: call the bank.`;
  expect(findSecrets(text)).toMatchObject([{ start: 5, end: 5 + cut.length, line: 2 }]);
});

test('finds no account in a number whose check digits do not fit', () => {
  expect(findSecrets('DE89 3704 0044 0532 0130 01 and 4539 1488 0343 6468')).toEqual([]);
});

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...samples.map(([, secret]) => secret)),
  fc.constantFrom('\n', 'password: ', 'token=', '"', ' ', '4711', '://', '@', '-----'),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('tells secrets apart, in order, whatever the text', () => {
  fc.assert(
    fc.property(text, (all) => {
      let before = 0;
      for (const { start, end, line } of findSecrets(all)) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        expect(line).toBe(all.slice(0, start).split('\n').length);
        before = end;
      }
      expect(before).toBeLessThanOrEqual(all.length);
    }),
    { numRuns: runs(300) },
  );
});

test('leaves as many lines as there were, whatever the text', () => {
  fc.assert(
    fc.property(text, (all) => {
      const lines = (each: string) => each.split('\n').length;
      expect(lines(masked(all, findSecrets(all)))).toBe(lines(all));
    }),
    { numRuns: runs(300) },
  );
});
