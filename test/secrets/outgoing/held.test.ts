import { expect, test } from 'vitest';
import { heldFrom, mayHaveSecrets } from '../../../src/secrets/outgoing/held.ts';
import { gitleaks, others, secretlint } from '../published-kinds.ts';
import { namedSamples, pem, samples } from '../samples.ts';

const all = [
  ...samples.map(([, secret]) => secret),
  ...namedSamples.map(([, line, secret]) => line.replace('…', () => secret)),
  ...[...gitleaks, ...secretlint, ...others].flatMap(({ sample }) => sample?.text ?? []),
];

test('no text that has a secret is taken for one that cannot', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter((text) => !mayHaveSecrets(text))).toEqual([]);
});

test.each(['It rains today, and so it did in 2024.', 'const total = prices.reduce(sum, 0);\n'])(
  'nothing is looked for in %j',
  (text) => expect(mayHaveSecrets(text)).toBe(false),
);

test.each([
  ['the last word', 'The weather is fi', 15],
  ['nothing behind an end of a line', 'The weather.\n', 13],
  ['a line that names a secret', 'One.\nYour token is', 5],
  ['a line below a name', 'Password\nzhd', 9],
  ['numbers in groups', 'Take DE89 3704 0044 ', 5],
  ['a card that has begun', 'Take 4539 1488', 5],
  ['a key that has begun', `Look:\n${pem.split('\n').slice(0, 3).join('\n')}`, 6],
  ['the end of a key that has begun', `Look:\n${pem.slice(0, -4)}`, 6],
  ['a PuTTY key that has begun', 'Look:\nPuTTY-User-Key-File-3: x\nComment: y\n', 6],
])('%s waits', (_, text, from) => expect(heldFrom(text)).toBe(from));

test('a key that is over does not wait, and a word about keys neither', () => {
  expect(heldFrom(`${pem}\n`)).toBe(pem.length + 1);
  const about = '-----BEGIN RSA PRIVATE KEY----- is how they begin.\nThis is prose.\n';
  expect(heldFrom(about)).toBe(about.length);
});
