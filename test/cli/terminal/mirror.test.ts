// What `attach --terminal` draws: people answer dialogs there, so nothing on it may pass for what it is not.
import { expect, test } from 'vitest';
import { Mirror } from '../../../src/cli/terminal/mirror.ts';
import { until } from '../../support/until.ts';

const esc = '\u001b';

/** Everything that is drawn for this, once `mark`, which stands in its last row, is there. */
async function drawn({ data, status = '' }: { data: string; status?: string }): Promise<string> {
  let all = '';
  const size = { cols: 40, rows: 6 };
  const mirror = new Mirror({ write: (text) => (all += text), size, status });
  try {
    mirror.restart({ cols: 40, rows: 5 }, `${data}${esc}[5;1Hmark`);
    await until('the picture', () => all.includes('mark'));
    return all;
  } finally {
    mirror.close();
  }
}

/** The cells of the first row, as far as text was put there. */
const firstRow = (all: string): string =>
  (all.split(`${esc}[1;1H${esc}[0m${esc}[K`)[1] ?? '').split(`${esc}[0m`)[0] ?? '';

const unseen: readonly (readonly [string, string])[] = [
  ['an override of the reading direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['the end of an isolate', '\u2069'],
  ['a zero-width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a tag character', '\u{e0041}'],
  ['a filler', '\u3164'],
];

test.each(unseen)(
  '%s is drawn as a placeholder, and every other cell stays where it was',
  async (_, mark) => {
    const row = firstRow(await drawn({ data: `rm a${mark}bc.txt` }));
    expect(row).not.toContain(mark);
    expect(row).toContain('�');
    // The next cell is put where it belongs: how wide a placeholder is drawn does not matter.
    expect(row).toMatch(/�\s?\u001b\[\d+Gb?c?/);
    expect(row.replace(/\u001b\[\d+G/g, '')).toMatch(/^rm a?� ?bc\.txt$/);
  },
);

test('a mark in front of everything does not reach the terminal either', async () => {
  for (const [, mark] of unseen) expect(firstRow(await drawn({ data: `${mark}rm` }))).not.toContain(mark);
});

test('a joiner on a plain letter is not drawn; emoji, letters with accents and boxes stay as they are', async () => {
  expect(firstRow(await drawn({ data: 'a\u200db' }))).not.toContain('\u200d');
  for (const fine of [
    '─│╭',
    'é',
    'e\u0301',
    '漢字',
    '\u26a0\ufe0f',
    '\u{1f468}\u200d\u{1f469}',
    '1\ufe0f\u20e3',
  ]) {
    const row = firstRow(await drawn({ data: fine }));
    expect(row.replace(/\u001b\[\d+G/g, '')).toBe(fine);
  }
});

test('no more than four marks stand on one letter: they would paint over other rows', async () => {
  const row = firstRow(await drawn({ data: `a${'\u0301'.repeat(30)}` }));
  expect(row.match(/\u0301/g)).toHaveLength(4);
});

test('the status row holds nothing but letters of one cell, whatever a session is called', async () => {
  const all = await drawn({ data: '', status: `\u202e${esc}]52;c;eA==\u0007 you type 漢\u200b | é` });
  const row = all.split(`${esc}[7m`)[1]?.split(`${esc}[0m`)[0];
  expect(row).toMatch(/^[\x20-\x7e]{40}$/);
  expect(row).toContain('you type');
});
