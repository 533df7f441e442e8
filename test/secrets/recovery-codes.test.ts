import { describe, expect, test } from 'vitest';
import { recoveryCodes } from '../../src/secrets/recovery-codes.ts';

const found = (text: string): string[] =>
  [...recoveryCodes(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
const codes = (...all: string[]): string[] => all.map((each) => `recovery code: ${each}`);

const [first, second] = ['a1b2c-3d4e5', 'k7q29xwd'];
const list = `- ${first}\n- ${second}\n`;

describe('below a name', () => {
  test.each([
    'Recovery codes',
    'recovery code',
    'recovery-codes',
    'recoverycodes',
    'Backup codes',
    'back-up codes',
    'rescue keys',
    'scratch codes',
    'Emergency codes',
    '2FA codes',
    'MFA codes',
    'Wiederherstellungsschlüssel',
    'Ersatzcodes',
    'Sicherungscodes',
    'Notfall-Codes',
    'Reservecodes',
    'codes de secours',
    'code de récupération',
    'Codes de respaldo',
    '## Recovery codes ##',
    '**Recovery codes:**',
    '`Recovery codes`',
    "Recovery codes of GitHub (as of 2024), Ada’s & Bob's + more/less._-",
    'Recovery codes：',
    'Recovery codes: #',
    'Recovery codes\t',
    'Recovery codes\r',
  ])('%j codes are found', (name) => expect(found(`${name}\n${list}`)).toEqual(codes(first, second)));

  test.each([
    'Codes',
    'recovery of codes',
    'recovery codecs',
    'recovery codes2',
    'recovery keysä',
    'codes secours',
    'codes de secours2',
    'Recovery codes; lost',
    'Recovery codes (ask Ada)!',
    'Recovery codes: lost: today',
    `Recovery codes ${'a'.repeat(400)}`,
    'Recovery codes\n\nThese are the words:',
    'Recovery codes\n-',
    'Recovery codes\n```text x',
    'Recovery codes\nx ```',
    'Recovery codes\nx ~~~text',
    `Recovery codes\n${'a'.repeat(13)}`,
  ])('%j none is', (name) => expect(found(`${name}\n${list}`)).toEqual([]));
});

describe('in a list', () => {
  test.each([
    ['- ', ''],
    ['* ', ''],
    ['+  ', ''],
    ['•\t', ''],
    ['1. ', ''],
    ['12)  ', ''],
    ['- [ ] ', ''],
    ['- [x]  ', ''],
    ['-  [X] ', ''],
    ['> ', ''],
    ['>\t- ', ''],
    ['  ', '  '],
    ['\t', ''],
    ['', ','],
    ['| ', ' |'],
    ['"', '";'],
    ['`', '`'],
    ['**', '**'],
    ['__', '__'],
    ['~~', '~~'],
    ['', '\r'],
    ['- ', ' (used)'],
    ['', ' benutzt'],
    ['', ' Verbraucht'],
  ])('a code is found between %j and %j', (before, behind) => {
    const text = `Recovery codes:\n${before}${first}${behind}\n${before}${second}${behind}`;
    expect(found(text)).toEqual(codes(first, second));
  });

  test.each(['x. ', '123. ', '1.', '-', '- [y] ', '- [x]', '-[ ] ', '>', '= '])(
    'none is found behind %j',
    (before) => expect(found(`Recovery codes:\n${before}${first}\n`)).toEqual([]),
  );

  test.each([
    ['', ''],
    ['\n', ''],
    ['```\n', '```\n'],
    ['```text\n', '```  \n'],
    ['~~~\n', '~~~\n'],
    [' \t\n', '>\n'],
    ['> ```\n', ' > \n'],
    ['text\n', 'Codes\n'],
  ])('they are found with %j before and %j between', (before, between) => {
    expect(found(`Recovery codes\n${before}${first}\n${between}${second}\n`)).toEqual(codes(first, second));
  });

  test.each(['abcd-efg', 'abcd-efgh-ijkl', '1234 5678', 'K7Q2 9XWD 4TFM', 'a1b2, c3d4; e5f6', '1234'])(
    '%j is found',
    (code) => expect(found(`Recovery codes\n${code}\nPrint them.`)).toEqual(codes(code)),
  );

  test.each([
    'abcdefgh',
    'Print them',
    'abcd1 print',
    '123',
    'ab-1234',
    'abcd-12',
    'abcd1.efgh2',
    'a1b2 = c3d4',
    `a1${'b'.repeat(15)}c`,
    `(${'a1b2'})`,
  ])('%j is not found', (code) => expect(found(`Recovery codes\n${code}\n`)).toEqual([]));

  test('what stands behind other text is not found', () => {
    expect(found(`Recovery codes\n- ${first}\nPrint them out.\n- ${second}\n`)).toEqual(codes(first));
  });

  const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(4000 + at));

  test('forty are found, and no more', () => {
    expect(found(`Recovery codes\n${numbers(41).join('\n')}`)).toEqual(codes(...numbers(40)));
  });

  test('what lies below two names is found once', () => {
    expect(found(`Recovery codes\nbackupcodes\n${list}`)).toEqual(codes(first, second));
    expect(found(`Recovery codes, backup codes\n${list}`)).toEqual(codes(first, second));
  });

  test('what lies below the last line that was read is found for another name', () => {
    const text = `Recovery codes\n${numbers(39).join('\n')}\nbackupcodes\n${list}`;
    expect(found(text)).toEqual(codes(...numbers(39), first, second));
  });
});

describe('behind a name', () => {
  test.each([
    ['Backup codes: ', '8391 0274, 1183 9920'],
    ['Backup codes = ', '8391 0274'],
    ['Backup codes：', '8391 0274'],
    ['**Backup codes:** ', '8391 0274'],
    ['Backup codes  :\t', '8391 0274'],
    ['Backup codes of GitHub (work): ', '8391 0274'],
    ['Backup codes of Ada’s e-mail_1: ', '8391 0274'],
  ])('%j codes are found', (name, code) => expect(found(`${name}${code}`)).toEqual(codes(code)));

  test.each([
    'Backup codes ',
    'Backup codes of the old work account: ',
    'Backup codes: see ',
    'Backup codes, x: ',
  ])('%j none is', (name) => expect(found(`${name}8391 0274`)).toEqual([]));
});

test('codes below one that was used are found', () => {
  const codes = ['a1b2c-3d4e5', 'k7q2x-9wd4t', 'm3n4p-5q6r7'];
  const text = `## Recovery codes\n\n- ${codes[0]} (used)\n- ${codes[1]}\n- ${codes[2]} benutzt\n`;
  const found = [...recoveryCodes(text)].map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(codes);
});
