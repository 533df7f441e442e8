import { describe, expect, test } from 'vitest';
import { privateKeys } from '../../src/secrets/private-keys.ts';
import { pem, pemRule, word } from './samples.ts';

const found = (text: string): string[] =>
  [...privateKeys(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);

const row = word(64);
const begin = pemRule('BEGIN', '');
const end = pemRule('END', '');

describe('a whole key', () => {
  test.each(['', 'RSA ', 'OPENSSH ', 'ENCRYPTED ', 'A1 B2 C3 '])('named by %j is found', (name) => {
    const key = `${pemRule('BEGIN', name)}\n${row}\n${pemRule('END', name)}`;
    expect(found(`My key:\n${key}\nMore`)).toEqual([`private key: ${key}`]);
  });

  test('of PGP is found, with what stands before its text', () => {
    const [first, last] = [begin, end].map((rule) => rule.replace(/-----$/, ' BLOCK-----'));
    const key = `${first}\nVersion: 1\n\n${row}\n=a1B2\n${last}`;
    expect(found(`${key}\nMore`)).toEqual([`private key: ${key}`]);
  });

  test('is found in a string of JSON', () => {
    const key = JSON.stringify(pem).slice(1, -1);
    expect(found(`{"key":"${key}"}`)).toEqual([`private key: ${key}`]);
  });

  test('is found behind another one', () => {
    expect(found(`${pem}\n${pem}${pem}`)).toEqual(Array(3).fill(`private key: ${pem}`));
  });

  test('of a line of 40 characters is found, of 39 it is none', () => {
    const key = (length: number) => `${begin}\n${word(length)}\n${end}`;
    expect(found(key(40))).toEqual([`private key: ${key(40)}`]);
    expect(found(`${key(39)}\n${row}`)).toEqual([]);
  });

  test('that stands in for one is none', () => {
    expect(found(`${begin}\nexample${row}\n${end}`)).toEqual([]);
    const key = `${begin}\n${row}example\n${end}`;
    expect(found(key)).toEqual([`private key: ${key}`]);
  });

  test.each([
    ['four words', pemRule('BEGIN', 'A B C D ')],
    ['small letters', pemRule('BEGIN', 'rsa ')],
    ['something public', begin.replace('PRIVATE', 'PUBLIC')],
  ])('is none behind a rule with %s', (_, rule) => expect(found(`${rule}\n${row}\n${end}`)).toEqual([]));
});

describe('a key without its end', () => {
  test.each([
    ['nothing', ''],
    ['an empty line', '\n\nMore'],
    ['a line of blanks', '\n  \nMore'],
    ['a sentence', '\nAnd so on'],
    ['a sign', '\n#'],
    ['a row with a sign behind it', `\n${row}#`],
    ['a sentence with a rule', '\nAnd so on\n-----'],
    ['another key', `\nAnd so on\n${begin}\n`],
    ['a rule in front of an end', `\nAnd so on\n-----x${end}`],
    ['an end in small letters', `\nAnd so on\n${end.toLowerCase()}`],
  ])('ends before %s', (_, behind) => {
    const key = `${begin}\nVersion: 1 (of 2)\n\nX-Comment: a\n${row}\n${row.slice(0, 8)}`;
    expect(found(`a ${key}${behind}`)).toEqual([`private key: ${key}`]);
  });

  test.each([
    ['> ', ''],
    ['| ', ' '],
    ["'", "',"],
    ['"', '"'],
    [' '.repeat(12), '  '],
    ['', '\r'],
    ['', '\\'],
  ])('is found in lines between %j and %j', (before, behind) => {
    const key = `${begin}\n${before}${row}${behind}\n${before}${row}${behind}`;
    expect(found(`${key}\nAnd so on`)).toEqual([`private key: ${key}`]);
  });

  test('is as long as its line where it stands in one', () => {
    expect(found(`${begin} ${row} and so on\nMore`)).toEqual([`private key: ${begin} ${row} and so on`]);
    expect(found(`${begin} ${row} and so on`)).toEqual([`private key: ${begin} ${row} and so on`]);
  });
});
