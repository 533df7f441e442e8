import { expect, test } from 'vitest';
import { frontmatterLines } from '../../../src/vault/notes/frontmatter.ts';

const linesOf = (text: string): number => frontmatterLines(text.split('\n'));

test.each([
  ['---\ntitle: a\n---\ntext', 3],
  ['---\ntitle: a\n...\ntext', 3],
  ['---  \n---', 2],
  ['---\ntitle: a', 0],
  ['\n---\ntitle: a\n---', 0],
  ['---js\nprocess.exit(1)\n---', 0],
  ['----\na\n---', 0],
  ['', 0],
])('of %j are %i lines', (text, lines) => expect(linesOf(text)).toBe(lines));

test('is text if it is too long', () => {
  expect(linesOf(`---\n${'a\n'.repeat(999)}---`)).toBe(1_001);
  expect(linesOf(`---\n${'a\n'.repeat(1_000)}---`)).toBe(0);
  expect(linesOf(`---\n${'a'.repeat(64 * 1024)}\n---`)).toBe(0);
});
