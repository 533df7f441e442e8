import { expect, test } from 'vitest';
import { below } from '../../src/secrets/passwords/below.ts';

const found = (text: string): string[] => [...below(text)].map(({ start, end }) => text.slice(start, end));
const x = (times: number): string => 'x'.repeat(times);
const blanks = (times: number): string => ' '.repeat(times);

test('the place and the kind are told', () => {
  expect([...below('# Password\n\n- hunter2\n')]).toEqual([{ start: 14, end: 21, kind: 'password' }]);
});

/** Heads below which a value stands. */
test.each([
  'Password',
  'Kennwort:',
  'Passwort：',
  '密码',
  'password:',
  '# password',
  '#  password',
  '2nd password:',
  '###### password ##',
  '- password',
  '* password',
  '+ password',
  '• password',
  '-  \tpassword',
  '1. Password',
  '123) Password',
  '1.  Password',
  '**password**',
  '***password:***',
  '***password***:',
  '_password_',
  '`password`',
  'Password"',
  "Password'",
  '> Password',
  ' \t> > Password',
  'NAS Password',
  'my NAS-2 R&D the_password:',
  'a b c d password:',
  'A1-password:',
  'Password for the old NAS bin2:',
  'Password a b c d e:',
  `${x(31)} password ${x(31)}:`,
  'Password: ##',
  `Password:${blanks(8)}`,
  'Password\t',
  'Å Password',
])('a value stands below %j', (head) => expect(found(`${head}\n   hunter2\n`)).toEqual(['hunter2']));

test.each([
  'password',
  'my password',
  'my Password',
  'my 密码',
  '%x Password:',
  'x! Password',
  '####### Password',
  '#Password',
  '1234) password:',
  '1.password:',
  '-password',
  '****password****',
  '****Password',
  'Password*******',
  'Password:****',
  'a b c d e password:',
  'Password a b c d e f:',
  `${x(32)} password:`,
  `Password ${x(32)}:`,
  'Password, the old:',
  'Password: old',
  'Password::x',
  'Password =',
  `Password:${blanks(9)}`,
  'Password policy:',
  'Reset password:',
  'Password  two:',
  '"Password":',
])('nothing stands below %j', (head) => expect(found(`${head}\n   hunter2\n`)).toEqual([]));

test.each<[string, string]>([
  ['as an item', '- hunter2'],
  ['as an item with another mark', '•  hunter2'],
  ['quoted', '"hunter2"'],
  ['as an item with many blanks', `-${blanks(45)}hunter2`],
  ['as code in an item', '* `hunter2`'],
  ['in a quotation', '> hunter2'],
  ['as an item in a quotation', '> > \t+ hunter2'],
  ['below an empty line', '\nhunter2'],
  ['below two empty lines', ' \n\t\nhunter2'],
  ['in a block', '```\nhunter2\n```'],
  ['in a block that says what it has', '\n``` \nhunter2'],
  ['in a block with a language', '  ```text\nhunter2'],
  ['in a block of a quotation', '> ~~~sh1  \n> hunter2'],
  ['in the last line', 'hunter2'],
  ['in a line with an end', 'hunter2 \t\r\nmore'],
])('a value below: %s', (_, text) => expect(found(`Password:\n${text}`)).toEqual(['hunter2']));

test('what looks like an item within a value is part of it', () => {
  expect(found('Password:\nhunter2- \n')).toEqual(['hunter2-']);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['empty lines', '\n\n'],
  ['three empty lines', '\n\n\nhunter2'],
  ['two words', 'hunter2 here'],
  ['a comment', 'hunter2 # x'],
  ['a comment behind a quotation', '"hunter2" # x'],
  ['a plain word', 'required'],
  ['the next name', 'valueFrom:'],
  ['the next name with a dash', 'secret-Store:'],
  ['the next name with many parts', 'theTopicOffNowHereAnd:'],
  ['a line that is too long', `${blanks(395)}hunter2hunter2`],
  ['text in the line of the block', '```text here\nhunter2'],
  ['text before the block', 'x```\nhunter2'],
  ['a block far within', `${blanks(9)}\`\`\`\nhunter2`],
  ['a block with much behind', `\`\`\`${x(21)}\nhunter2`],
  ['a block with a wide end', `\`\`\`${blanks(5)}\nhunter2`],
])('nothing below: %s', (_, text) => expect(found(`Password:\n${text}`)).toEqual([]));

const letters = 'qwertzuiopasdfghjklyxcvbnmqwertz';

test.each([
  ...['tulip:', 'Tulip:', 'tulipFrom:', 'tulip-from:', 'tulip_From:', 'ab-cd:', 'theTopicOffNowHereAnd:'],
  `${letters.slice(1)}:`,
])('%s is the next name', (value) => expect(found(`Password:\n${value}\n`)).toEqual([]));

test.each([
  ...[
    'tulipFrom1:',
    'tulip--from:',
    'tulip_:',
    'tulipF:',
    '+tulipan:',
    '9tulipan:',
    'tulip+from:',
    'tulip:x9',
  ],
  ...['theTopicOffNowHereAndThat:', 'TULIP:', `${letters}:`],
])('%s is none', (value) => expect(found(`Password:\n${value}\n`)).toHaveLength(1));

test.each<[string, string[]]>([
  ['- Password\n  - hunter2', ['hunter2']],
  ['- Password\n- hunter2', []],
  ['  - Password\n- hunter2', []],
  ['  - Password\n   - hunter2', ['hunter2']],
  ['> - Password\n> - hunter2', []],
  ['> - Password\n>   - hunter2', ['hunter2']],
  ['- Password\nhunter2', ['hunter2']],
  ['Password\n- hunter2', ['hunter2']],
])('of items a value stands deeper: %j', (text, expected) => expect(found(text)).toEqual(expected));

test('each name has its own value', () => {
  expect(found('Password\nhunter2\n\nKennwort:\nwinter7\n')).toEqual(['hunter2', 'winter7']);
});

test('a name in a line whose end is not seen has none', () => {
  expect(found(`Password:${blanks(500)}\nhunter2`)).toEqual([]);
});
