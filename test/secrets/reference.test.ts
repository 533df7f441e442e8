import { expect, test } from 'vitest';
import { isListedName, isReference, isTellingName } from '../../src/secrets/passwords/reference.ts';

test.each([
  ...['config.tulip', 'user?.tulip!', '$this->tulip', 'this.#tulip', 'self::TULIP', 'Config::TULIP_2'],
  ...['config.tulipBulb.LEAF_ONE', 'US_EAST.tulip-bulb', '_config.tulip12'],
  ...['get("x")', "get('x", 'get()', 'get(`x`)', '&config.get("x")', 'config?.get!()'],
  ...[
    'z.string().min(8)',
    'normalizeX509(tulip)',
    'read({',
    'read(',
    'read([[',
    'read($tul',
    'read(x).',
    'Types<String>',
  ],
  ...['process.env["X"]', 'env[`x`]', 'env[12]', 'env[tulip]'],
  ...['$tulip', '@tulip', '&tulip', ':tulip', '$DB_TULIP1', '%TULIP%', 'env:X_1', 'DB_TULIP_2', 'A1_2'],
  ...['x<TULIP>', 'x<tulip>y', '<ID>', '<id>'],
  ...['--tulip', '--tulip-file', '--tulip-file=x 1'],
  ...[
    `\${X-1}`,
    '$(show x)',
    '{{ x }}',
    '<your own: x/y-z.1>',
    '[Ä 1](x)',
    '[[Ä_1]]',
    '[x]',
    '%(x)s',
    '%{x}',
    '{x-1}',
  ],
  ...['!secret', '!vault', '!env', '!env_var', '!include', '!file', '!encrypted', '!Ref', '!Sub', '!GetAtt'],
  ...['!ImportValue', '!reference', '!secret/wifi_2'],
  ...['op://x', 'https:///x', 'file:/x', '~/x', './x.y', '../x/y-z', '@./x', '@~/x', 'C:\\xy'],
  ...['/run', '/run-x/1.y', '@/run.txt/'],
])('%s says where one is', (value) => expect(isReference(value)).toBe(true));

test.each([
  ...['', 'tulip', 'Tulip7', 'hunter2', '4711', 'tulip.', '.tulip', 'tulip.4x!', 'x9.k2', 'a.b'],
  ...[
    'x9(k',
    'x9["k',
    'q(',
    '%tulip',
    'tulip%',
    '$4x',
    'env:',
    'TULIP',
    'A1',
    '<x!>',
    '<>!',
    '--',
    '--x',
    '-tulip',
  ],
  ...[
    '!tulip',
    '!secret!',
    '://x',
    'file:x',
    '~x',
    '.x',
    'c:\\x',
    'C:/xy',
    '/',
    '/x',
    '/R2',
    'x[y]',
    '{x',
    '{!}',
  ],
])('%j does not', (value) => expect(isReference(value)).toBe(false));

test.each(['tulip,', 'tulipBulb;', 'DB_TULIP)', 'tulip);', '$tulip12,', 'tulip_bulb-leaf,;)'])(
  '%s is a name in a list',
  (value) => expect(isListedName(value)).toBe(true),
);

test.each(['', ',', 'tulip', 'tulip123,', '4tulip,', 'tulip,,,,', 'tulip.', 'tulip!,', '!tulip,', 'tulip,x'])(
  '%j is none',
  (value) => expect(isListedName(value)).toBe(false),
);

test.each(
  `password passwort passwd passphrase pass pwd secret token key credential credentials hash hashed config env input
value field param string text user username name ref arg args opts options settings form body data default callback
handler helper schema type validator model props state request response generate generated random encrypted`.split(
    /\s/,
  ),
)('a name with %s in it is telling', (part) => {
  expect(isTellingName(`${part}Number`)).toBe(true);
  expect(isTellingName(`big-${part}_NUMBERS`)).toBe(true);
  expect(isTellingName(part)).toBe(false);
});

test.each([
  'passWord',
  '$userName',
  '_user-name',
  'USER_NAME',
  'user$-$name1',
  'XMLHttpUserNames',
  'tulip-user-name',
])('%s is telling', (value) => expect(isTellingName(value)).toBe(true));

test.each([
  ...[
    '',
    '$',
    '_1',
    'user',
    'tulipBulb',
    'abPass',
    'k-x-user',
    '4userName',
    '!userName',
    'userName!',
    'user--name',
  ],
  ...['user-', 'bypassNumber', 'passengerNumber', 'user.name', 'aBcDeUser', 'tokensNumber'],
])('%j is not', (value) => expect(isTellingName(value)).toBe(false));
