import { readFileSync, realpathSync } from 'node:fs';
import { claudePath } from './peers.ts';

/** How each script in the native program begins and ends, as the maker of the program packs it. */
const begin = Buffer.from('\0// @bun');
const end = 0;

/** The scripts of which the installed Claude Code is made: some thousand, 68 MB of the 400 MB (2.1.332). */
export function programSources(): string[] {
  const program = readFileSync(realpathSync(claudePath()));
  const sources: string[] = [];
  let from = program.indexOf(begin);
  while (from >= 0) {
    const to = program.indexOf(end, from + 1);
    sources.push(program.toString('latin1', from + 1, to));
    from = program.indexOf(begin, to);
  }
  return sources;
}
