import { describe, expect, test } from 'vitest';
import { puttyKeys } from '../../src/secrets/putty-keys.ts';
import { word } from './samples.ts';

const found = (text: string): string[] =>
  [...puttyKeys(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);

const rows = (count: number): string[] => Array(count).fill(`${word(62)}==`);
const head = [
  `PuTTY-User-Key-File-${3}: ssh-ed25519`,
  'Encryption: none',
  'Comment: ada@example.org, of 2024',
  'Public-Lines: 2',
  ...rows(2),
  'Private-Lines: 1',
];
const lines = [...head, ...rows(1), `Private-MAC: ${word(40)}`];
const key = lines.join('\n');

describe('a key', () => {
  test('is found up to its check sum, between other lines', () => {
    expect(found(key)).toEqual([`private key: ${key}`]);
    expect(found(`my key: ${key}\nMore: 1\n`)).toEqual([`private key: ${key}`]);
  });

  test.each([
    ['> ', ''],
    ['    ', ''],
    ["'", "'"],
    ['"', '",'],
    ['| ', '  '],
    ['', '\r'],
    ['', ' \r'],
  ])('is found in lines between %j and %j', (before, behind) => {
    const all = lines.map((line) => before + line + behind).join('\n');
    const text = `Keys:\n${all}\nMore: 1\n`;
    expect(found(text)).toEqual([`private key: ${all.slice(before.length)}`]);
  });

  test('that is cut is found up to where lines end to look like its own', () => {
    const cut = lines.slice(0, -1).join('\n');
    for (const behind of [
      '',
      '\n\nMore: 1',
      '\nNext week: call!',
      '\nSee you',
      '\n#',
      '\nab=!',
      `\n${word(81)}`,
    ]) {
      expect(found(`${cut}${behind}`)).toEqual([`private key: ${cut}`]);
    }
  });

  test('of more than 200 lines is found up to the 200th', () => {
    const all = [...head, ...rows(200)];
    expect(found(all.join('\n'))).toEqual([`private key: ${all.slice(0, 200).join('\n')}`]);
  });

  test('is found behind another one', () => {
    expect(found(`${key}\n${key}`)).toEqual([`private key: ${key}`, `private key: ${key}`]);
  });

  test('is found once if it has its first line twice', () => {
    const twice = [lines[0], ...lines].join('\n');
    expect(found(twice)).toEqual([`private key: ${twice}`]);
  });
});

test.each([
  ['a name of files', `PuTTY-User-Key-File-${3}: see below`],
  ['a public key', lines.slice(0, 6).join('\n')],
  ['a line that only speaks of private ones', [...lines.slice(0, 6), 'Comment: Private-Lines: 1'].join('\n')],
  ['private lines behind an empty one', [...lines.slice(0, 6), '', ...lines.slice(6)].join('\n')],
  ['a first line that is too long', [lines[0] + word(200), ...lines.slice(1)].join('\n')],
  ['no version', key.replace('-3:', '-x:')],
])('finds nothing in %s', (_, text) => expect(found(text)).toEqual([]));
