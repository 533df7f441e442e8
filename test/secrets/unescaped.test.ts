import { expect, test } from 'vitest';
import { unescaped } from '../../src/secrets/unescaped.ts';

/** What of a text lies where a part of the text without backslashes lies. */
function origin(text: string, part: string): string {
  const plain = unescaped(text);
  const start = plain?.text.indexOf(part) ?? -1;
  const place = plain?.original({ start, end: start + part.length, kind: 'part' });
  expect(place?.kind).toBe('part');
  return text.slice(place?.start, place?.end);
}

test.each([
  ['gh\\_x and \\*y\\*', 'gh_x and *y*'],
  ['\\!\\/\\:\\@\\[\\`\\{\\~', '!/:@[`{~'],
  ['a\\\\b', 'a\\b'],
  ['a\\\\\\_b', 'a\\_b'],
  ['a\\_b\\c', 'a_b\\c'],
  ['\\_', '_'],
])('%j is %j without its backslashes', (text, plain) => expect(unescaped(text)?.text).toBe(plain));

test.each(['', 'gh_x', 'C:\\Users\\ada', 'a \\ b', 'a\\ä', 'at its end \\', '\\1'])(
  'in %j nothing is escaped',
  (text) => expect(unescaped(text)).toBeUndefined(),
);

test.each([
  ['a gh\\_x b', 'gh_x', 'gh\\_x'],
  ['a gh\\_x b', 'x b', 'x b'],
  ['a gh\\_x b', 'a g', 'a g'],
  ['a gh\\_x b', 'a gh', 'a gh'],
  ['a gh\\_x b', '_x', '\\_x'],
  ['a\\_b\\_c\\_d\\_e', 'b_c', 'b\\_c'],
  ['a\\_b\\_c\\_d\\_e', 'c_d_e', 'c\\_d\\_e'],
  ['a\\_b\\_c\\_d\\_e', 'a_b_c_d_e', 'a\\_b\\_c\\_d\\_e'],
  ['a\\_b\\_c\\_d\\_e', 'e', 'e'],
  ['a\\\\b\\_c', 'b_c', 'b\\_c'],
  ['a\\\\b\\_c', '\\b', '\\\\b'],
])('of %j, %j is %j in the original', (text, part, original) => expect(origin(text, part)).toBe(original));
