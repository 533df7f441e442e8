// OpenClaw's manual speaks of keys, tokens and passwords on every other page, and keeps none: what is found there would be
// hidden from everybody's search for nothing.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { openclawPath } from './support/peers.ts';

/** `…/node_modules/.bin/openclaw` */
const openclaw = join(dirname(openclawPath()), '../openclaw');
const names = globSync('**/*.md', { cwd: openclaw, exclude: (name) => name === 'node_modules' });

test('there is a manual to look at', () => expect(names.length).toBeGreaterThan(1_000));

test('no page of it is taken for one with a secret', () => {
  const found = names.flatMap((name) => {
    const text = readFileSync(join(openclaw, name), 'utf8');
    return findSecrets(text).map(
      ({ line, kind, start, end }) => `${name}:${line} ${kind} ${text.slice(start, end)}`,
    );
  });
  expect(found).toEqual([]);
});
