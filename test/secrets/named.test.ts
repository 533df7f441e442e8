import { expect, test } from 'vitest';
import { named } from '../../src/secrets/named.ts';
import { noise, word } from './samples.ts';

const found = (text: string): string[] => [
  ...new Set([...named(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`)),
];

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** For one-time passwords: letters and one digit, so that only its alphabet tells it. */
const oneTime = `${noise(9, upper)}7${noise(9, upper)}`;
const phrase = 'lemon river stone '.repeat(4).trim();
const key = word(32);
const tripleQuote = '"""';

test.each([
  ['Password: hunter2', 'password: hunter2'],
  ['**Password** (WLAN): `hunter2`', 'password: hunter2'],
  ['PASSWORD==hunter2', 'password: hunter2'],
  ['| Password | hunter2 |', 'password: hunter2'],
  ['the password hunter2', 'password: hunter2'],
  ['set the password to hunter2 now', 'password: hunter2'],
  ['wifi pw: "hunter2"', 'password: hunter2'],
  ['Pwd (old) := hunter2', 'password: hunter2'],
  ['Password:\nhunter2', 'password: hunter2'],
  ['Password:\n```text\nhunter2\n```', 'password: hunter2'],
  ['Password (old):\n  hunter2  \nmore', 'password: hunter2'],
  ['PIN: 4711', 'PIN: 4711'],
  ['PIN of the bank card 4711', 'PIN: 4711'],
  ['the puk-code = 83749261', 'PIN: 83749261'],
  [`api_key: ${key}`, `key: ${key}`],
  [`| token (old) | ${key} |`, `key: ${key}`],
  [`the token is ${key}`, `key: ${key}`],
  [`secret: ${oneTime}`, `key: ${oneTime}`],
  [`Seed phrase: ${phrase}`, `wallet phrase: ${phrase}`],
  [`Wiederherstellungswörter = ${phrase}`, `wallet phrase: ${phrase}`],
])('is found in %j', (text, secret) => expect(found(text)).toEqual([secret]));

test.each([
  ['has no name', 'Colour: hunter2'],
  ['has no name, in the next line', 'Colour:\nhunter2'],
  ['is behind a part of a name', 'bypass: hunter2'],
  ['is behind a short name without a sign', 'the pw hunter2'],
  ['is a word', 'password: required'],
  ['is a word without a sign', 'the password required'],
  ['is a word behind a short name', 'pw: required'],
  ['is a word in the next line', 'Password:\nrequired'],
  ['is too short', 'password: a1!'],
  ['is too short without a sign', 'the password a1!x'],
  ['is in the line after next', 'Password:\n\n\nhunter2'],
  ['begins a line', 'Password:\nhunter2 is old'],
  ['is an address in a sentence', 'the password Xy1://a-b2'],
  ['is a call in a sentence', 'the password ab-c(d1'],
  ['closes a link in a sentence', 'the password CLI-a1)x'],
  ['is a number without a name', 'Flat: 4711'],
  ['is counted', 'PIN: 1234'],
  ['is a part of a longer number', 'PIN: 47114711471147'],
  ['is a share', 'PIN: 4711%'],
  ['is a part of a date', 'PIN: 4711-12'],
  ['is random without a name', `Colour: ${key}`],
  ['is random without a sign', `the token ${key}`],
  ['is random and stands in for a key', `token: example-${key}`],
  ['is a long word', 'token: internationalization'],
  ['is for one-time passwords without a name', `Colour: ${oneTime}`],
  ['is for one-time passwords, in a longer word', `token: x${oneTime}`],
  ['is for one-time passwords, and more', `token: ${oneTime}x`],
  ['is letters', `token: ${noise(19, upper)}`],
  ['is short letters', `token: ${noise(15, upper)}7~`],
  ['is words without a name', `Words: ${phrase}`],
  ['is words without a sign', `seed phrase ${phrase}`],
  ['is too few words', 'Seed phrase: lemon river stone'],
])('is not found where it %s: %j', (_, text) => expect(found(text)).toEqual([]));

test.each([
  ['password: hunter2.', 'hunter2'],
  ['password: hunter2**, and so on', 'hunter2'],
  ['(password: hunter2)', 'hunter2'],
  ['password: gr.33,n|Tea;', 'gr.33,n|Tea'],
  ['password: „hunter2“', 'hunter2'],
  ['password: "hunter2".x', 'hunter2'],
  ["password: 'hunter2',x", 'hunter2'],
  ['password: `gr33n"Tea`', 'gr33n"Tea'],
  ['password: gr33n"Tea', 'gr33n"Tea'],
])('ends where its quotation or its sentence does: %j', (text, secret) =>
  expect(found(text)).toEqual([`password: ${secret}`]),
);

test('is not found behind an empty quotation', () => {
  expect(found(`password: ${tripleQuote}"hunter2`)).toEqual([]);
});
