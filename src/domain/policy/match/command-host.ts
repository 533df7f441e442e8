// A rule's `host` against the words of a shell command.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { isNetworker, isRunner, mayRunAnything } from '../programs.ts';
import { either, type Fit } from '../ruling.ts';
import type { SimpleCommand } from '../shell.ts';
import { literal } from '../shell-word.ts';
import { hostOf, hostPattern } from './host-of.ts';

/** Never allows: what a command does with a URL is not the URL's to say. */
export function commandHost(host: string, { words }: SimpleCommand, restricts: boolean): Fit {
  if (!restricts) return 'no';
  const [program, ...rest] = words.map(literal);
  const speaks =
    program === undefined || isNetworker(program) || isRunner(program) || mayRunAnything(program);
  return either(
    program !== undefined && mayRunAnything(program) ? 'maybe' : 'no',
    ...rest.map((word): Fit => {
      if (word === undefined) return speaks ? 'maybe' : 'no';
      const given = [word, ...word.split(/[=@]/).slice(1)].map(hostOf);
      return given.some((each) => each !== undefined && fitsWildcard(hostPattern(host), each)) ? 'yes' : 'no';
    }),
  );
}
