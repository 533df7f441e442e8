// What of a note is shown for a hit, and how.
import { expect, test } from 'vitest';
import { type HitOptions, hitLines, type NoteHit } from '../../../src/cli/output/words/hit-lines.ts';
import { width as cellsOf } from '../../../src/cli/text/width.ts';
import { type Line, lineText } from '../../../src/cli/tui/text/line.ts';
import { placesOf, stemsOf } from '../../../src/vault/search/stems.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { forbidden } from '../tools/world.ts';

const hitOf = (text: string, about: Partial<NoteHit> = {}): NoteHit => ({
  file: 'House/Garden.md',
  line: 3,
  heading: 'Garden › Fence',
  text,
  ...about,
});

const options = (query: string, about: Partial<HitOptions> = {}): HitOptions => ({
  hidden: [],
  places: (text) => placesOf(text, stemsOf(query)),
  columns: 80,
  ...about,
});

const texts = (lines: readonly Line[]): string[] => lines.map(lineText);
const found = (lines: readonly Line[]): string[] =>
  lines.flatMap((spans) => spans.flatMap(({ text, tone }) => (tone === 'found' ? [text] : [])));

test('a hit has its place in the first row, and its text indented below', () => {
  expect(texts(hitLines(hitOf('\n\nOne.\n  Two.\n'), options('one')))).toEqual([
    'House/Garden.md:3  Garden › Fence',
    '    One.',
    '      Two.',
  ]);
});

test('the words that were looked for are marked, whatever their endings', () => {
  const lines = hitLines(hitOf('Paint the fences. The painter painted; no pain.'), options('painting fence'));
  expect(found(lines)).toEqual(['Paint', 'fences', 'painter', 'painted']);
});

test('no row is wider than the terminal, and nothing is lost of a text that is short enough', () => {
  const text = `${'word '.repeat(60)}${'長'.repeat(40)}`;
  for (const columns of [24, 40, 80, 200]) {
    const rows = texts(hitLines(hitOf(text, { heading: '' }), options('word', { columns }))).slice(1);
    expect(Math.max(...rows.map(cellsOf)), String(columns)).toBeLessThanOrEqual(columns);
  }
  const all = texts(hitLines(hitOf(text), options('word', { columns: undefined })));
  expect(all[1]).toBe(`    ${text}`);
});

test('of a long text a few rows are shown, with the first word that was looked for among them', () => {
  const rows = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  rows[30] = 'the fence';
  const lines = hitLines(hitOf(rows.join('\n')), options('fence'));
  expect(found(lines)).toEqual(['fence']);
  expect(texts(lines).slice(1)).toEqual(['    …', ...rows.slice(28, 36).map((row) => `    ${row}`), '    …']);
});

test('a secret is named below the text that it is missing in, once', () => {
  const hidden = [
    { file: 'House/Garden.md', line: 4, kind: 'GitHub token' },
    { file: 'House/Garden.md', line: 4, kind: 'GitHub token' },
    { file: 'House/Garden.md', line: 9, kind: 'password' },
    { file: 'Other.md', line: 4, kind: 'password' },
  ];
  const rows = texts(hitLines(hitOf('one\ntwo'), options('one', { hidden })));
  expect(rows.slice(1)).toEqual(['    one', '    two', '    Not shown: GitHub token, line 4']);
});

test.each(escapePayloads)('$name passes in no part of a hit', ({ text: payload }) => {
  const evil = `a${payload}fence${payload}b`;
  const hit = hitOf(evil, { file: evil, heading: evil });
  const lines = hitLines(hit, options('fence', { hidden: [{ file: evil, line: 3, kind: evil }] }));
  expect(texts(lines).join('\n')).not.toMatch(forbidden);
});

test('a word is marked where it is seen, not where it was before the text was made safe', () => {
  const lines = hitLines(hitOf('\u001b[31;1mThe \u001b]0;fence\u0007red fence'), options('fence'));
  expect(texts(lines)[1]).toBe('    The red fence');
  expect(found(lines)).toEqual(['fence']);
});
