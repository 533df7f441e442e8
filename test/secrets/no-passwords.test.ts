// What stands in a password's place and is known to be none: methods, rows of digits, a password's own name.
import { describe, expect, test } from 'vitest';
import { isCounted } from '../../src/secrets/passwords/counted.ts';
import { isItself } from '../../src/secrets/passwords/itself.ts';
import { isMethod } from '../../src/secrets/passwords/method.ts';

describe('methods', () => {
  test.each(
    `sha256 SHA-256 sha1 md5 base16 base32 base58 base64 base64url utf8 utf-8 utf16 oauth oauth2 oauth-2 oauth2.0 argon2
argon2id bcrypt bcrypt10 pbkdf2 scrypt HS256 rs256 es256 ed25519 aes256 aes-256 aes-256-gcm x509 x.509 http http2 v1
v10 v2.1.3 int8 int64 uint32 ipv4 ipv6 mp3 mp4 5% 95% 100% p95% p5%`.split(/\s+/),
  )('%s is one', (value) => expect(isMethod(value)).toBe(true));

  test.each(
    `xsha256 sha256x sha shax sha-x md4 base65 utf9 oauth3 argon argon2! bcryptx pbkdf1 hs257 aes aes-x x-509 http3 v vx
v1x v2.x int intx uint ipv5 mp5 % 1000% pp95% -5% x%`.split(/\s+/),
  )('%s is none', (value) => expect(isMethod(value)).toBe(false));
});

describe('rows of digits', () => {
  test.each([
    ...['1234', '12345', '123456', '1234567', '12345678', '123456789', '1234567890', '01234', '0123456789'],
    ...['11', '000', '7777777', '4321', '654321'],
  ])('%s is one', (value) => expect(isCounted(value)).toBe(true));

  test.each([
    ...['4711', '0', '123', '21234', '001234', '12346', '123457', '12345679', '12345678901', '12340'],
    ...['1112', '2111', 'xx', '14321', '43210', '1654321', '6543210', '54321'],
  ])('%s is none', (value) => expect(isCounted(value)).toBe(false));
});

describe('its own name', () => {
  const mine = 'my'.repeat(3);
  const pass = 'pass'.repeat(3);

  test.each([
    ...['password', 'Passwort', 'passwd', 'pass', 'kennwort', 'secret', 'test'],
    ...['mypassword', 'your_password', 'the-pass', 'new-pass', 'old-pass', 'test_pass', 'secretpass'],
    ...['my-new-password', 'my_new_old_password', `${mine}pass`, 'pass-test', 'pass_pass_pass', pass],
    ...['password-', 'password1', 'password12', 'password123', 'password-1234', 'password1234567890'],
  ])('%s is it', (value) => expect(isItself(value)).toBe(true));

  test.each([
    ...['', 'my', 'xpassword', 'passwordx', 'passwordxx', 'password123x', 'my password', 'password!'],
    ...[`my${mine}pass`, `pass${pass}`, 'pass--word', 'password2024', 'password321', 'password12345678901'],
  ])('%j is not', (value) => expect(isItself(value)).toBe(false));
});
