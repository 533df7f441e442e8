import { expect, test } from 'vitest';
import { isPassword } from '../../src/secrets/password.ts';

test.each([
  'hunter2',
  'Sommer2024!',
  'Tür&Tor',
  '4711',
  '83749261',
  'p4ss.w0rt',
  'xK9#mQ2$',
  'correct-horse-7',
])('%j is one', (value) => expect(isPassword(value)).toBe(true));

test.each([
  ['a type', 'string'],
  ['a word', 'required'],
  ['words', 'well-known'],
  ['a method', 'SHA-256'],
  ['a reference', 'config.db1.password2'],
  ['a call', 'get("x1")'],
  ['a constant', 'DB_PASSWORD_2'],
  ['a path', './db1.txt'],
  ['an address', 'op://vault1/item'],
  ['a measure', '3,897ms'],
  ['a length', '8+'],
  ['a row of digits', '123456'],
  ['one digit', '0000'],
  ['its own name', 'my-password-123'],
  ['a slot', '<password1>'],
  ['a short one', 'a1'],
])('%s is none: %j', (_, value) => expect(isPassword(value)).toBe(false));
