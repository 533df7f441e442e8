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
const device = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

/** `: > x`: output that is none goes into a file. What prints something overwrites, which is another thing. */
export function empties({ words, redirects, group }: SimpleCommand): boolean {
  if (group || !redirects.some(({ word, empties: cuts }) => cuts && !device.test(literal(word) ?? '')))
    return false;
  const [program, ...rest] = words.map(literal);
  if (words.length === 0 || program === undefined) return true;
  const says = rest.filter((word) => word !== '' && !/^-[neE]+$|^\/dev\//.test(word ?? ' '));
  return (
    /^(?::|true|false|test|\[|cd|set|export|unset|read|sleep|wait|kill|touch|mkdir|chmod)$/.test(program) ||
    says.length === 0
  );
}
