// What a hostile text costs who looks for secrets in it.
import { expect, test } from 'vitest';
import { findSecrets } from '../../../src/vault/secrets/find-secrets.ts';
import { slope } from '../../support/cost.ts';
import { word } from './samples.ts';

test.each([
  ['letters', 'a'],
  ['digits', '7'],
  ['digits in groups', '4539 1488 0343 '],
  ['capitals', 'DE89'],
  ['lines with passwords', 'password: hunter2\n'],
  ['names alone', 'password:'],
  ['names behind each other', 'token_secret-'],
  ['beginnings of web tokens', 'eyJ'],
  ['parts of web tokens', 'eyJhbGciOiJIUzI1NiJ9.'],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY-----\n'],
  ['a key that goes on', `MI${word(62)}\n`],
  ['beginnings of addresses', 'https://a:'],
  ['beginnings of tokens', `gh${'s_'}1_`],
  ['mail keys', 'SG.'],
  ['blanks behind a name', 'password     '],
  ['quotes', '"'],
  ['names with nothing but ends of lines behind', 'password:\n'],
  ['words behind a name', 'seed phrase: lemon river '],
  ['one-time passwords', 'otpauth://a?b=c&'],
  ['logins', ' -u ada:'],
  ['tokens', `gh${'p_'}${word(36)} `],
])('takes ten times as long for ten times as much: %s', (_, each) => {
  expect(slope(findSecrets, each, 25)).toBeLessThan(25);
});
