import { expect, test } from 'vitest';
import { logins } from '../../src/secrets/passwords/logins.ts';

const found = (text: string): string[] => [...logins(text)].map(({ start, end }) => text.slice(start, end));
const x = (times: number): string => 'x'.repeat(times);
const blanks = (times: number): string => ' '.repeat(times);

test('the place and the kind are told', () => {
  expect([...logins('My login: bob / hunter2\n\nCreds\n\n- ada / "winter7"')]).toEqual([
    { start: 16, end: 23, kind: 'password of a login' },
    { start: 41, end: 48, kind: 'password of a login' },
  ]);
});

test.each([
  ...['Login', 'login', 'Logins', 'log-in', 'Log-Ins', 'logon', 'logons', 'sign-in', 'signin', 'credential'],
  ...['credentials', 'creds', 'Zugang', 'Zugänge', 'Zugangsdaten', 'Anmeldung', 'Anmeldedaten', 'Logindaten'],
  ...['Benutzerdaten', 'Account', 'Konto', 'user/password', 'Username / Pass', 'Benutzer & Kennwort'],
  ...['benutzername und passwort', 'user and passwd'],
  // What stands around it.
  ...['the NAS-login', '(login)', '"login"', '**Login**', '`login`', '*__Login'],
  ...[
    'Login for the NAS',
    'Login a b c d e',
    'Login (NAS) Ada’s',
    "Login O'Neil_R&D+x-1.2",
    `Login ${x(31)}`,
  ],
  ...['Login 2', 'Login NAS****', `Login${blanks(4)}`, 'Login\t', 'Login)* '],
])('%s: has a pair behind it', (name) => expect(found(`${name}: bob / hunter2`)).toEqual(['hunter2']));

test.each([
  ...['xlogin', '4login', 'loginx', 'login2', 'Login a b c d e f', `Login ${x(32)}`, 'Login  x', 'Login!x'],
  ...[
    'Login*****',
    `Login${blanks(5)}`,
    'Login !',
    'user  /  password',
    'user password',
    'user/pin',
    'log--in',
  ],
])('%s: has none', (name) => expect(found(`${name}: bob / hunter2`)).toEqual([]));

test.each([':', '::', '：', '=', '|', ':**', ':***', ':_', ' =', '\t|'])(
  'a pair may stand behind %j',
  (sign) => expect(found(`Login${sign} bob / hunter2`)).toEqual(['hunter2']),
);

test.each(['', ' -', ':____', ';', ': see', ': x! bob'])('no pair stands behind %j', (sign) =>
  expect(found(`Login${sign}${sign === '' ? '' : ' '}bob / hunter2`)).toEqual([]),
);

test.each([
  ...[
    '',
    ' ',
    '\t> | ',
    '- ',
    '*\t',
    '+  ',
    '• ',
    'Mail: ',
    'E-Mail_2.x 3:  ',
    'Mail：\t',
    'Mail:: ',
    '- **',
    'User:** ',
  ],
  ...['User:_ ', "'", '"_`', `a${x(40)}: `, '2: ', 'é', '1'],
])('a pair may begin behind %j', (front) =>
  expect(found(`Login:\n${front}bob / hunter2`)).toEqual(['hunter2']),
);

test.each([
  ...[
    '-',
    '- - ',
    '!',
    'Mail:',
    'Mail:*** ',
    'a: b: ',
    '****',
    `a${x(41)}: `,
    '!a: ',
    'a!: ',
    '.',
    '1) ',
    'see, ',
  ],
])('no pair begins behind %j', (front) => expect(found(`Login:\n${front}bob / hunter2`)).toEqual([]));

test.each<[string, string[]]>([
  ['bob / hunter2', ['hunter2']],
  ['bob/hunter2', ['hunter2']],
  ['bob/ hunter2', ['hunter2']],
  ['bob \t /hunter2', ['hunter2']],
  ['`bob` / `hunter2`', ['hunter2']],
  ["'bob*_/hunter2", ['hunter2']],
  ['bob****/hunter2', []],
  ['b / hunter2', ['hunter2']],
  ['bob.a_b+c-d@example.org / hunter2', ['hunter2']],
  [`${x(81)} / hunter2`, ['hunter2']],
  [`${x(82)} / hunter2`, []],
  [`bob /${blanks(45)}hunter2`, ['hunter2']],
  ['bob ! / hunter2', []],
  ['bob! / hunter2', []],
  ['bob hunter2', []],
  ['bob / ada / hunter2', []],
  ['bob / hunter2 is old', []],
  ['bob / Tulpen', ['Tulpen']],
  ['bob / required', []],
  ['bob/Tulpen', []],
  ['src/tulip4/x', []],
  ['src/tulip4.ts', []],
  [`bob /${blanks(390)}hunter2`, []],
])('a pair, or none: %j', (line, expected) => {
  expect(found(`Login: ${line}`)).toEqual(expected);
  expect(found(`Login:\n${line}\n`)).toEqual(expected);
});

test.each([
  ...[
    'google',
    'facebook',
    'github',
    'GitLab',
    'microsoft',
    'twitter',
    'linkedin',
    'discord',
    'amazon',
    'logout',
  ],
  ...['log-out', 'register', 'registration', 'signup', 'sign-up', 'signout', 'abmelden', 'registrieren'],
  ...[
    'registrierung',
    'guest',
    'magic-link',
    'magiclink',
    'webauthn',
    'fido',
    'fido2',
    'passkey',
    'passkeys',
  ],
  ...['apple', 'slack', 'github.', 'github,', 'github;', 'github)', 'guest.', 'passkeys)', 'logout;'],
])('%s is entered with, and no password', (service) => {
  expect(found(`Login: bob / ${service}`)).toEqual([]);
  expect(found(`Login: bob/${service}`)).toEqual([]);
});

test.each(['xgithub', 'githubs', 'github!', 'github..', 'magic--link', 'fido3'])('%s may be one', (value) =>
  expect(found(`Login: bob / ${value}`)).toEqual([value]),
);

test.each([
  ...[
    'Login',
    'Login:',
    '# Login',
    '###### Login',
    '- Login:',
    '* \t Login',
    '• Login:**',
    '+ Login',
    '> \t Login',
  ],
  ...[
    '**Login**',
    '***Login',
    '_Login_',
    'My 2nd NAS.x & R-D Login:',
    'Login account:',
    'Login  ',
    'Login:  \t',
  ],
  ...[`${x(39)} login`, 'Login***', '2 Login'],
])('pairs stand below %j', (head) =>
  expect(found(`${head}\nbob / hunter2\nada / winter7\n`)).toEqual(['hunter2', 'winter7']),
);

test.each([
  ...['Login: see', 'Login!', '####### Login', '#Login', '****Login', 'x, Login', 'x: Login:'],
  `${x(40)} login`,
  ...['Login********', '! Login', 'Login: x'],
])('no pairs stand below %j', (head) => expect(found(`${head}\nbob / hunter2\n`)).toEqual([]));

test('what is below a pair behind a name is not read', () => {
  expect(found('Login: bob / winter7\nbob / hunter2\n')).toEqual(['winter7']);
});

test('pairs go on over empty lines, up to another line', () => {
  expect(found('Login\n\n \nbob / hunter2\r\n\n\nada / winter7\nand\nada / summer7\n')).toEqual([
    'hunter2',
    'winter7',
  ]);
});

test('pairs below a name have a bound', () => {
  expect(found(`Login\n${'bob / hunter2\n'.repeat(31)}`)).toHaveLength(30);
});

test('each name has its own pairs', () => {
  expect(found('Login\nbob / hunter2\nLogin\nada / winter7\n')).toEqual(['hunter2', 'winter7']);
});
