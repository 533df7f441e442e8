// Where secrets lie in one another or side by side, and in which line each is.
import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { pem, samples } from './samples.ts';

const found = (text: string): string[] =>
  findSecrets(text).map(({ start, end, kind, line }) => `${line} ${kind}: ${text.slice(start, end)}`);

const token = samples.find(([kind]) => kind === 'GitHub token')?.[1] ?? '';
const iban = 'AT611904300234573201';

test.each([
  ['an account in a password', `a9#${iban}`, 'IBAN'],
  ['an account in the midst of a password', `a9#${iban}#b`, 'IBAN'],
  ['a token behind an account in a password', `a9#${iban}#${token}`, 'GitHub token'],
  ['an account behind a token in a password', `a9#${token}#${iban}`, 'GitHub token'],
])('%s is one with it, and gives it its name', (_, value, kind) =>
  expect(found(`Password: ${value}`)).toEqual([`1 ${kind}: ${value}`]),
);

test('an account that goes on behind a password is one with it', () => {
  const groups = iban.replace(/.{4}(?=.)/g, '$& ');
  expect(found(`password: a9#${groups}`)).toEqual([`1 IBAN: a9#${groups}`]);
});

test('a name that is found later gives way, whatever else was found before', () => {
  const value = `a9#${iban}#PIN:4711`;
  expect(found(`${token}\npassword: ${value}`)).toEqual([`1 GitHub token: ${token}`, `2 IBAN: ${value}`]);
});

test('two keys side by side are two', () => {
  expect(found(`${pem}${pem}`)).toEqual([`1 private key: ${pem}`, `8 private key: ${pem}`]);
});

test('they come in the order of the text, each with its line', () => {
  const text = `\nPIN: 4711\n\nPassword: hunter2 ${iban}\nPIN: 8302\n\n${token}`;
  expect(found(text)).toEqual([
    '2 PIN: 4711',
    '4 password: hunter2',
    `4 IBAN: ${iban}`,
    '5 PIN: 8302',
    `7 GitHub token: ${token}`,
  ]);
});

test('a token is found with the backslashes of Markdown in it', () => {
  const escaped = token.replaceAll('_', '\\_');
  expect(found(`a\\*b ${escaped} c`)).toEqual([`1 GitHub token: ${escaped}`]);
  expect(findSecrets('a\\*b')).toEqual([]);
});
