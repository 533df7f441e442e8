// What a hostile text costs who looks for secrets in it.
import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { slope } from '../support/cost.ts';
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
  ['words behind a wallet', 'seed phrase: lemon river '],
  ['one-time passwords', 'otpauth://a?b=c&'],
  ['logins', ' -u ada:'],
  ['a row of names', '| Password '],
  ['names of one table', '| Password |\n|---|\n'],
  ['rows of a table', '| Password |\n|---|\n| a | b |\n| c |\n'.repeat(2)],
  ['dashes of a table', '|-'],
  ['names below each other', 'Password\n'],
  ['names below each other with empty lines', '## Password\n\n'],
  ['logins below each other', 'Login:\n'],
  ['pairs of a login', 'Login:\nbob / hunter2\n'],
  ['pairs in one line', 'Login: bob / '],
  ['words behind a name', 'password for the '],
  ['beginnings of PuTTY keys', 'PuTTY-User-Key-File-3:\n'],
  ['a PuTTY key that goes on', `PuTTY-User-Key-File-3: x\n${word(64)}\n`],
  ['Secrets of Kubernetes', 'kind: Secret\n'],
  ['Secrets of Kubernetes with data', 'kind: Secret\ndata:\n  a: YWJjZGVmZ2g=\n'],
  ['names of recovery codes', 'Recovery codes\n'],
  ['recovery codes', 'Recovery codes:\n1234 5678\n'],
  ['keys of Bitcoin', `5${word(50).replaceAll(/[0OIl]/g, 'x')} `],
  ['parts between dots', 'pat.abc.'],
  ['parts between dashes', 'A3-ABCDEF-'],
  ['tokens of Atlassian', 'ATATT3'],
  ['base64 of web tokens', 'ZXlK'],
  ['heads of basic authorization', 'Authorization: Basic '],
  ['backslashes', '\\'],
  ['escaped signs', '\\_'],
  ['escaped tokens', `gh${'p\\_'}${word(36)} `],
  ['brackets behind a name', 'password:: ]'],
  ['tokens', `gh${'p_'}${word(36)} `],
])('takes ten times as long for ten times as much: %s', (_, each) => {
  expect(slope(findSecrets, each, 25)).toBeLessThan(25);
});

test('takes ten times as long for ten times as much: a row of dashes with a letter at its end', () => {
  const find = (dashes: string) => findSecrets(`Password |\n${dashes}x`);
  expect(slope(find, '-', 25, 200_000)).toBeLessThan(25);
});
