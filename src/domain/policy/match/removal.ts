// What takes a file away: not only by the name that a rule knows.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { SimpleCommand } from '../shell.ts';
import { literal } from '../shell-word.ts';

const removers = ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'srm', 'rimraf', 'trash', 'del', 'erase'];

/** Whether a rule is about taking files away: `rm`, `rm -rf`, `r*`. */
export const removalOf = ([program = '', ...words]: readonly string[]): boolean =>
  words.every((word) => word.startsWith('-')) &&
  removers.some((name) => fitsWildcard(program.toLowerCase(), name));

/** Devices that nothing is taken from. */
export const isDevice = (path: string | undefined): boolean =>
  path !== undefined && /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path);

/** `: > x`: output that is none goes into a file. What prints something overwrites, which is another thing. */
export function empties({ words, redirects, group, told }: SimpleCommand): boolean {
  if (
    group ||
    (told !== undefined && told !== '') ||
    !redirects.some(({ word, empties: cuts }) => cuts && !isDevice(literal(word)))
  )
    return false;
  const [program, ...rest] = words.map(literal);
  if (program === undefined || silent.test(program)) return true;
  return (
    printsWords.test(program) && rest.every((word) => word === '' || /^-[neE]+$|^\/dev\//.test(word ?? ''))
  );
}

/** They print nothing; and these print their words, or the files that those name. */
const silent = /^(?::|true|false|test|\[|exec|cd|set|export|unset|read|sleep|wait|kill|touch|mkdir|chmod)$/;
const printsWords = /^(?:echo|printf|cat|tac|head|tail)$/;
