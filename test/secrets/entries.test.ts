import { expect, test } from 'vitest';
import { entries } from '../../src/secrets/passwords/entries.ts';

const found = (text: string): string[] => [...entries(text)].map(({ start, end }) => text.slice(start, end));
const x = (times: number): string => 'x'.repeat(times);
const blanks = (times: number): string => ' '.repeat(times);

test('the place and the kind are told', () => {
  expect([...entries('My\n**my-password:** hunter2\npw = "winter7"')]).toEqual([
    { start: 20, end: 27, kind: 'password' },
    { start: 34, end: 41, kind: 'password' },
  ]);
});

test.each([
  // What closes the name.
  ...[
    'Password:',
    '"password":',
    "'password' :",
    '`password`:',
    '**Password**:',
    '_Password_:',
    '{password}:',
  ],
  ...['[password]:', '(password):', '("password")]:', `Password${'*'.repeat(8)}:`],
  // What it is for.
  ...[
    'Password (old one):',
    `Password (${x(40)}):`,
    'Password():',
    `Password${blanks(4)}(x):`,
    'Password\t\t(x):',
  ],
  ...[
    'Password for the NAS:',
    'Password a b c d e f:',
    `Password ${x(31)}:`,
    'Password Ada’s:',
    "Password O'Neil:",
  ],
  ...['Password a_b/c&d+e#f-1.2:', 'Password 2nd:', 'Password (x) NAS**:'],
  // Blanks before the sign.
  ...[`Password${blanks(12)}:`, 'Password\t:'],
  // Signs.
  ...[
    'password::',
    'password :=',
    'Passwort：',
    'password =',
    'password→',
    'Password |',
    'Password -',
    'Password —',
  ],
  ...['Password –', 'Password\t-', 'Password (x) -'],
  // Verbs.
  ...[
    'The password is:',
    'password IS now:',
    'Passwort fürs NAS lautet jetzt:',
    'password was:',
    'Passwort ist:',
  ],
  ...['Passwort war:', 'contraseña es:', 'mot de passe est:'],
  // Emphasis that ends behind the sign, or not.
  ...['**Password:**', '- **Password:**', '***Password:***', '*Password:*', '**Password:', '*my-Password:*'],
  // What stands before it.
  ...['reset password:', `resetx${x(56)}-password:`, 'DB_PASSWORD=', `x \${a} password:`, '$DB_PASSWORD='],
])('%s has a value', (name) => expect(found(`${name} hunter2`)).toEqual(['hunter2']));

test.each([
  ...[
    'Password',
    'Password!hunter2:',
    `Password${'*'.repeat(9)}:`,
    'Password(x)(y):',
    `Password (${x(41)}):`,
  ],
  ...[`Password${blanks(5)}(x):`, 'Password (a(b)):', 'Password a b c d e f g:', `Password ${x(32)}:`],
  ...['Password  for it:', 'Password !x:', `Password${blanks(13)}:`],
  ...[
    'password ==',
    'password =>',
    'Password-',
    'Password—',
    'Password–',
    'Password x—',
    'x! Password -',
    'password ->',
  ],
  ...['Password policy:', 'Password is for it:', 'Password Ändern ist:', 'Passwordis:'],
  ...[
    'Password:**',
    'Password: *',
    '**Password:*',
    'resetPassword:',
    'reset_password:',
    'reset-my_password:',
  ],
  ...['$reset1password:'],
])('%s has none', (name) => expect(found(`${name} hunter2`)).toEqual([]));

test.each([
  ...[
    '',
    '  \t',
    '> ',
    '| ',
    '- ',
    '* ',
    '+\t',
    '• ',
    '‣ ',
    '1. ',
    '123) ',
    '## ',
    '######\t',
    '-   ',
    '[ ] ',
  ],
  ...['- [x] ', '1. [X]\t', '"', "'", '`', '****', '[', '(', '{', 'my NAS_2.old-', '$', '- **my ', x(60)],
])('a dash may follow a name that its line begins with: %j', (front) =>
  expect(found(`${front}Password${/^[["'`({]$/.test(front) ? '"' : ''} - hunter2`)).toEqual(['hunter2']),
);

test.each([
  ...[
    'x, ',
    '1234) ',
    '1)',
    '-- x! ',
    '####### ',
    '#',
    '•',
    '[y] ',
    '[x]',
    '*****',
    x(61),
    'x: ',
    '(a) ',
    '- - [ ] ',
  ],
])('a dash may not follow %jPassword', (front) => expect(found(`${front}Password - hunter2`)).toEqual([]));

test.each([...['', '| ', '> | ', '\t|\t', '|', '| **', '| my NAS_2.old-', '| "', `| ${x(40)}`, '|   `']])(
  'a cell may follow the first one: %j',
  (front) => expect(found(`${front}Password | hunter2 |`)).toEqual(['hunter2']),
);

test.each(['| a | ', '|| ', 'a, ', `| ${x(41)}`, '| *****', '- | '])(
  'a cell may not follow %jPassword',
  (front) => expect(found(`${front}Password | hunter2 |`)).toEqual([]),
);

test.each<[string, string[]]>([
  ['| Password | hunter2 |\n|---|---|\n', []],
  ['| Password | hunter2 |\n| --- | hunter2 |\n', ['hunter2']],
  ['| Password | hunter2 |\n|---|---|', []],
  ['| Password: hunter2\n|---|---|', ['hunter2']],
])('the cells of a head have no values: %j', (text, expected) => expect(found(text)).toEqual(expected));

test.each<[string, string[]]>([
  ['password => "hunter2"', ['hunter2']],
  ['password == "hunter2"', []],
  ['password => hunter2', []],
  ['password=hunter2', ['hunter2']],
  ['password-hunter2', []],
  ['password - -hunter2', ['-hunter2']],
  ['*Password:**hunter2', ['*hunter2']],
  ['password: tulipBulb,', []],
  ['password: "tulipBulb,"', ['tulipBulb,']],
  ['password: required', []],
  ['password: "required"', []],
  ['password:', []],
  ['Password!hunter2:', []],
  ['password: hunter2 here', []],
  [`\${DB_PASSWORD:-hunter2}`, []],
  [`\${PASSWORD:-hunter2}`, []],
  [`\${my DB_PASSWORD:-hunter2}`, ['-hunter2}']],
  ['$DB_PASSWORD:-hunter2}', ['-hunter2}']],
  ['{DB_PASSWORD:-hunter2}', ['-hunter2']],
  [`password:${blanks(390)}hunter2`, []],
])('%j', (text, expected) => expect(found(text)).toEqual(expected));

test.each<[string, string[]]>([
  ['The [password:: hunter2] is old', ['hunter2']],
  ['The (password: hunter2), and', ['hunter2']],
  ['The {password: hunter2}', ['hunter2']],
  ['The [my-password::\t hunter2].', ['hunter2']],
  ['[password:: hunter2]!?) is', ['hunter2']],
  ['[password:: hunter2].,;: is', []],
  ['[password:: hunter2]x is', []],
  ['[password:: hunter2]x', ['hunter2]x']],
  ['[password:: hunter2x! is', []],
  ['[password:: hunt]er2] is', ['hunt]er2']],
  ['[password:: ]hunter2] is', [']hunter2']],
  ['[password:: hunter2)) is', []],
  ['[ password:: hunter2] is', []],
  [`[password::${blanks(8)}hunter2] is`, ['hunter2']],
  [`[password::${blanks(9)}hunter2] is`, []],
  [`[password:: ${'hunter2-'.repeat(24)}hunter]] is`, [`${'hunter2-'.repeat(24)}hunter]`]],
  ['[password:: is', []],
  ['[password::', []],
  ['[password: tulipBulb,] is', []],
  ['[password => hunter2] is', []],
])('brackets around a name and its value: %j', (text, expected) => expect(found(text)).toEqual(expected));
