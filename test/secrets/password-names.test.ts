import { expect, test } from 'vitest';
import { isOtherMatter, passwordName } from '../../src/secrets/passwords/names.ts';

test.each([
  ...[
    'password',
    'Passwort',
    'Passwörter',
    'PASSPHRASE',
    'pass phrase',
    'passcodes',
    'passwd',
    'DB_PASSWORD',
  ],
  ...[
    'Kennwort',
    'Kennwörter',
    'Zugangscode',
    'contraseña',
    'mot de passe',
    'пароль',
    '密码',
    '密碼',
    '口令',
  ],
  ...['パスワード', '비밀번호', 'senha', 'wachtwoord', 'hasło', 'heslo', 'WPA-PSK', 'wpa_psk', 'wpapsk'],
  ...['pw', 'wifi pwd', 'PSK', 'my-pw'],
])('%s names a password', (text) => expect(text.replace(passwordName(), '')).not.toBe(text));

test.each(['', 'pass', 'word', 'Kenn', 'pws', 'apw', 'psk1', 'pwdx', 'wpa'])('%j names none', (text) =>
  expect(text.replace(passwordName(), '')).toBe(text),
);

test('each place is found', () => {
  expect([...'Password, pw and PASSWORT'.matchAll(passwordName())].map(({ index }) => index)).toEqual([
    0, 10, 17,
  ]);
});

test.each([
  'policy',
  'Policy',
  'POLICY',
  'my policy',
  'policy of mine',
  'myPolicy',
  'PolicyOf',
  'POLICYFor',
  'my_policy_1',
  'Ändern',
  'vergessen',
  'weil',
])('%s is another matter', (words) => expect(isOtherMatter(words)).toBe(true));

test.each(['', '1', ' ', '-', 'router', 'the router', 'policyx', 'xpolicy', 'Stryker'])(
  '%j is none',
  (words) => expect(isOtherMatter(words)).toBe(false),
);
