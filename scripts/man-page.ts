// Writes dist/synthesis.1: the command line as it is built, and the tables of exit codes and files from the reference.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import MarkdownIt from 'markdown-it';
import { program } from '../src/cli/program.ts';
import { version } from '../src/cli/version.ts';
import { type ManualSection, manual } from './package/manual.ts';

const root = resolve(import.meta.dirname, '..');

/** The first table below a heading of the reference. @param columns of the term and of its words */
function section(
  title: string,
  [page, heading]: readonly [string, string],
  [term, words]: readonly [number, number],
): ManualSection {
  const [, behind = ''] = readFileSync(join(root, 'docs/reference', page), 'utf8').split(`\n## ${heading}\n`);
  const tokens = new MarkdownIt().parse(behind.split('\n## ')[0] ?? '', {});
  const first = tokens.findIndex(({ type }) => type === 'tbody_open');
  const last = tokens.findIndex(({ type }) => type === 'tbody_close');
  const cells = tokens.slice(first, last).filter(({ type }) => type === 'inline');
  const columns = tokens.slice(0, first).filter(({ type }) => type === 'th_open').length;
  const wordsOf = (at: number) =>
    (cells[at]?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
  const entries = Array.from(
    { length: cells.length / columns },
    (_, row) => [wordsOf(row * columns + term), wordsOf(row * columns + words)] as const,
  );
  return { title, entries };
}

const sections = [
  section('EXIT STATUS', ['cli.md', 'Exit codes'], [0, 2]),
  section('FILES', ['config.md', 'Paths'], [0, 1]),
  {
    title: 'SEE ALSO',
    entries: [['synthesis docs', 'The guides and the reference of this release.']] as const,
  },
];
writeFileSync(join(root, 'dist/synthesis.1'), manual(program(), version, sections));
