// A page of the documentation on a terminal: whole, in its width, and in the order in which it is written.
import { readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { pageLines } from '../../../src/cli/docs/blocks.ts';
import { pages } from '../../../src/cli/docs/pages.ts';
import { lineText, lineWidth } from '../../../src/cli/tui/text/line.ts';

const shown = (markdown: string, cells = 40) => pageLines(new MarkdownIt().parse(markdown, {}), cells);
const rows = (markdown: string, cells?: number) => shown(markdown, cells).map(lineText);

test('headings, paragraphs, lists and quotes, wrapped at blanks', () => {
  const text =
    '# Title\n\nOne `two` **three**\nfour.\n\n- first\n- second that is long enough for two rows\n\n1. a\n2. b\n\n> said';
  expect(rows(text, 24)).toEqual([
    'Title',
    '',
    'One two three four.',
    '',
    '• first',
    '• second that is long',
    '  enough for two rows',
    '',
    '1. a',
    '2. b',
    '',
    '│ said',
  ]);
});

test('each piece has its tone, and blanks between words of one tone have it, too', () => {
  expect(shown('a **b c** `d e` [f](https://example.com) ![g](h.svg)')).toEqual([
    [
      { text: 'a ', tone: 'plain' },
      { text: 'b c', tone: 'strong' },
      { text: ' ', tone: 'plain' },
      { text: 'd e', tone: 'tool' },
      { text: ' ', tone: 'plain' },
      { text: 'f', tone: 'accent' },
      { text: ' ', tone: 'plain' },
      { text: '<https://example.com>', tone: 'dim' },
    ],
    [{ text: '[picture: g]', tone: 'dim' }],
  ]);
});

test('code stays as it is, however long: people copy it', () => {
  expect(rows('```sh\nsynthesis up  --port 0\n\n  x\n```', 10)).toEqual([
    '    synthesis up  --port 0',
    '    ',
    '      x',
  ]);
});

describe('a table', () => {
  const narrow =
    '| flag | meaning |\n|---|---|\n| `-q` | nothing after the start |\n| `-d` | run in the background and return when ready |';
  test('stands side by side where its last column can be read', () => {
    expect(rows(narrow, 44)).toEqual([
      'flag  meaning',
      '-q    nothing after the start',
      '-d    run in the background and return when',
      '      ready',
    ]);
  });

  test('is a list where it cannot, with the heads of its columns where there are several', () => {
    expect(
      rows('| when | what | who |\n|---|---|---|\n| at the start | a question that is long | nobody |', 30),
    ).toEqual(['at the start', '    what: a question that is', '    long', '    who: nobody']);
  });
});

const all = pages().map(({ name, file }) => [name, readFileSync(file, 'utf8')] as const);

test.each(all)('%s loses no word at 40 and at 100 cells, and only code is wider', (_, text) => {
  const wordsOf = (page: string) => page.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0;
  const [narrow, wide] = [shown(text, 40), shown(text, 100)];
  for (const [cells, lines] of [
    [40, narrow],
    [100, wide],
  ] as const)
    expect(
      lines
        .filter(
          (line) => lineWidth(line) > cells && line[0]?.tone !== 'tool' && !lineText(line).startsWith('  '),
        )
        .map(lineText),
    ).toEqual([]);
  expect(wordsOf(wide.map(lineText).join('\n'))).toBeGreaterThan(
    0.7 * wordsOf(text.replace(/\]\([^)]*\)/g, ']')),
  );
});
