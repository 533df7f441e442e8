import MarkdownIt from 'markdown-it';
import { printLines } from '../output/painted.ts';
import { paint, paletteOf } from '../tui/text/paint.ts';
import { pageLines } from './blocks.ts';
import { page } from './pager.ts';

/** Longer rows are hard to read. */
const widest = 100;

/** A page on this terminal, by a pager where there is one. */
export async function show(markdown: string): Promise<void> {
  const cells = Math.min(process.stdout.columns || 80, widest);
  const lines = pageLines(new MarkdownIt().parse(markdown, {}), cells);
  const palette = paletteOf(process.env);
  if (process.env.TERM !== 'dumb') {
    const text = lines.map((each) => paint(each, palette)).join('\n');
    if (await page(`${text}\n`, process.env)) return;
  }
  printLines(lines);
}
