import { expect, test } from 'vitest';
import { farName, heldFrom, mayHaveSecrets, nearName } from '../../../src/secrets/outgoing/held.ts';
import { gitleaks, others, secretlint } from '../published-kinds.ts';
import { namedSamples, pem, samples } from '../samples.ts';

const all = [
  ...samples.map(([, secret]) => secret),
  ...namedSamples.map(([, line, secret]) => line.replace('…', () => secret)),
  ...[...gitleaks, ...secretlint, ...others].flatMap(({ sample }) => sample?.text ?? []),
];

/** The first line of a key. */
const begin = (kind = 'RSA ') => `-----BEGIN ${kind}${'PRIVATE'} KEY-----`;

test('no text that has a secret is taken for one that cannot', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter((text) => !mayHaveSecrets(text))).toEqual([]);
});

test.each(['It rains today, and so it did in 2024.', 'const total = prices.reduce(sum, 0);\n'])(
  'nothing is looked for in %j',
  (text) => expect(mayHaveSecrets(text)).toBe(false),
);

test.each(
  `pass kennw contrase парол 密 口令 パス 비밀 senha wachtwoord haslo hasło heslo wpa pwd psk pw zugangscode`.split(
    ' ',
  ),
)('%s is a name of what may stand some lines below', (name) => {
  expect([nearName('no name'), nearName(`a ${name}`), farName(`a ${name.slice(0, 3)}`)]).toEqual([-1, 2, -1]);
  expect(mayHaveSecrets(name.toUpperCase())).toBe(true);
});

test.each(
  `login log-in logon log-on signin sign-in creds credential zugang zugänge anmeld benutzer account konto recovery
   backup back-up rescue scratch emergency wiederher ersatz sicherung notfall reserve 2fa mfa codes kind: kind": kind':`.split(
    /\s+/,
  ),
)('%s is a name of what may stand in any of many lines', (name) => {
  expect([farName('no name'), farName(`a ${name}`), nearName(`a ${name}`)]).toEqual([-1, 2, -1]);
  expect(mayHaveSecrets(name.toUpperCase())).toBe(true);
});

test.each(['It is kind.', 'kind-: x', 'logan', 'a pwx', 'hasko'])('%s is no name', (text) =>
  expect([nearName(text), farName(text)]).toEqual([-1, -1]),
);

test.each([
  ['123456', true],
  ['1234 56', true],
  ['1234-56', true],
  ['1234 5', false],
  ['1234:56', false],
  ['a://bob:x', true],
  ['a://bob/x:y', false],
  ['a://bob x:y', false],
  ['abcdefghijklm1', true],
  ['abcdefghijkl1', false],
  ['abcdefghijklmn', false],
])('of %s it is told by its shape whether it may be a secret', (text, may) =>
  expect(mayHaveSecrets(text)).toBe(may),
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
  ['a PuTTY key to its last sign', `Look:\nPuTTY-User-Key-File-3: x\nPrivate-MAC: ${'a'.repeat(38)}`, 6],
  ['a key at the very beginning', `${begin()}\nMII\n`, 0],
  ['a key of no kind', `Look:\n${begin('')}\nMII\n`, 6],
  ['a key of a kind of two words', `Look:\n${begin('PGP X509 ')}\nMII\n`, 6],
  ['a key in a quotation', `Look:\n> ${begin()}\n> MII\n> `, 6],
  ['a key in a list of lines', `Look:\n"${begin()}",\n"MII",\n`, 6],
  ['a word that is all there is', 'weather', 0],
  ['the last word behind a name', 'Your token is here.\nIt rains to', 29],
  ['the last word behind numbers', 'DE89 3704 are some of fi', 22],
  ['the last word of a long text', `${'fine '.repeat(1_000)}wea`, 5_000],
])('%s waits', (_, text, from) => expect(heldFrom(text)).toBe(from));

test('a key waits wherever it has got to', () => {
  for (let end = pem.indexOf('\n') + 1; end < pem.length; end += 1)
    expect(heldFrom(`Look:\n${pem.slice(0, end)}`)).toBe(6);
});

test('a line that names a secret waits up to 400 characters, far into a text, too', () => {
  const before = `${'fine '.repeat(100)}\n`;
  const line = `The password ${'is so '.repeat(70)}`.slice(0, 399);
  expect(heldFrom(`${before}${line}x`)).toBe(before.length);
  expect(heldFrom(`${before}${line}xx`)).toBe(before.length + line.lastIndexOf(' ') + 1);
});

test('a word waits up to 8,000 characters, and numbers in groups up to 60', () => {
  expect(heldFrom('a'.repeat(8_000))).toBe(0);
  expect(heldFrom('a'.repeat(9_000))).toBe(1_000);
  expect(heldFrom(`123456${' 123456'.repeat(8)}`)).toBe(2);
});

test('a key waits up to 20,000 characters', () => {
  const key = `${begin()}\n${`${'A'.repeat(63)}\n`.repeat(400)}`.slice(0, 19_999).replace(/.$/, 'A');
  expect(heldFrom(`${key}\n`)).toBe(0);
  expect(heldFrom(`${key}A\n`)).toBe(20_001);
});

test('a long line is read once', () => {
  const line = 'it rains '.repeat(50_000);
  expect(heldFrom(line)).toBe(line.length);
});

test('a key in one line is over at its end, and a PuTTY key at its last sign', () => {
  const line = `{"key": "${pem.replaceAll('\n', '\\n')}"}\n`;
  expect(heldFrom(line.slice(0, -20))).toBe(0);
  expect(heldFrom(line)).toBe(line.length);
  const putty = `PuTTY-User-Key-File-3: x\nPrivate-MAC: ${'a'.repeat(39)}\n`;
  expect(heldFrom(putty)).toBe(putty.length);
});

test('a key that is over does not wait, and a word about keys neither', () => {
  expect(heldFrom(`${pem}\n`)).toBe(pem.length + 1);
  const about = '-----BEGIN RSA PRIVATE KEY----- is how they begin.\nThis is prose.\n';
  expect(heldFrom(about)).toBe(about.length);
});
