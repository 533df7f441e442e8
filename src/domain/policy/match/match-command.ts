// A rule's `command` against one simple command.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { knownReach } from '../programs/known.ts';
import { baseName, runsScripts, runsWords } from '../programs/name.ts';
import type { Reach } from '../programs/reach.ts';
import { either, type Fit } from '../ruling.ts';
import { type SimpleCommand, simpleCommands } from '../shell.ts';
import { literal } from '../shell-word.ts';
import { empties, isDevice, removalOf } from './removal.ts';

/** @param pattern the first words of a command; `*` stands for any text within a word */
export function fitsCommand(pattern: string, command: SimpleCommand, restricts: boolean): Fit {
  const wanted = pattern.split(/\s+/);
  return restricts ? mayBe(wanted, command) : isExactly(wanted, command);
}

/** For a rule that allows: the words as they are written, and nothing that changes what they do. */
function isExactly(wanted: readonly string[], command: SimpleCommand): Fit {
  const { words, redirects, assigned } = command;
  if (assigned.length > 0) return 'no';
  if (redirects.some(({ word, writes }) => writes && literal(word) !== '/dev/null')) return 'no';
  const fits = wanted.every((word, index) => {
    const given = words[index] && literal(words[index]);
    return given !== undefined && (index === 0 ? given === word : fitsWildcard(word, given));
  });
  return fits && staysKnown(wanted.length, command) ? 'yes' : 'no';
}

/** `find` is known to run nothing; with `-exec` behind it, it is not what was allowed. */
function staysKnown(count: number, command: SimpleCommand): boolean {
  const named = knownReach({ ...command, words: command.words.slice(0, count) });
  if (!named) return true;
  const given = knownReach(command);
  return given !== undefined && given.inner.length <= named.inner.length && given.removes === named.removes;
}

/** Commands within commands beyond which it is asked about. */
const deepest = 5;

/** For a rule that restricts: however it is quoted, wherever it lies, and behind programs of which nothing is known. */
function mayBe(wanted: readonly string[], command: SimpleCommand, depth = 0): Fit {
  const given = command.words.map(literal);
  const [program, ...rest] = given;
  const reach = knownReach(command);
  const beside = besideWords(wanted, command, given);
  if (command.words.length === 0) return either(reach ? 'no' : 'maybe', beside);
  if (program === undefined || depth > deepest) return 'maybe';
  const direct = startsWith(wanted, given, reach);
  if (!reach) return either('maybe', direct, behind(wanted, program, rest));
  const taken = reach.removes && removalOf(wanted) ? 'maybe' : 'no';
  return either(direct, beside, taken, ...reach.inner.map((each) => mayBe(wanted, each, depth + 1)));
}

/** What a command may do by its variables and its redirections. */
function besideWords(
  wanted: readonly string[],
  command: SimpleCommand,
  given: readonly (string | undefined)[],
): Fit {
  // `EDITOR="rm x" git commit`: what another program may run.
  const set = command.assigned.map(({ value }) => literal(value));
  const written = writesFile(command) ? [command.told, ...given].map(unescaped) : [];
  const empty = removalOf(wanted) && empties(command);
  return empty || scripts(wanted, [...set, ...written]) !== 'no' ? 'maybe' : 'no';
}

/** What is written to a file may be run from there: `echo 'rm x' > .git/hooks/pre-commit`. */
const writesFile = ({ words: [first], redirects }: SimpleCommand): boolean =>
  (first && literal(first)) === 'tee' ||
  redirects.some(({ word, writes }) => writes && !isDevice(literal(word)));

/** `printf 'x\\ny'` writes two lines. */
const unescaped = (text: string | undefined): string | undefined => text?.replaceAll('\\n', '\n');

/** Options may stand between the words of a command: whether `git -C x push` is `git push` is not decided here. */
function startsWith(wanted: readonly string[], given: readonly (string | undefined)[], reach?: Reach): Fit {
  const [program = '', ...words] = wanted;
  if (!isProgram(program, given[0] ?? '')) return 'no';
  if (words.every((word, index) => fitsWildcard(word, given[index + 1] ?? '\0'))) return 'yes';
  let from = 1;
  for (const [index, word] of words.filter((each) => !each.startsWith('-')).entries()) {
    // Where the program is known, so is which of its words says what it does.
    const at =
      index === 0 && reach && reach.at > 0
        ? fitsAt(word, given[reach.at])
          ? reach.at
          : -1
        : find(word, given, from);
    if (at === -1) return 'no';
    from = at + 1;
  }
  return 'maybe';
}

/** A rule may name a program by its path: then one of that name is meant wherever it lies, but for a pattern. */
const isProgram = (wanted: string, given: string): boolean =>
  fitsWildcard(wanted.toLowerCase(), baseName(given)) ||
  fitsWildcard(wanted, given) ||
  (wanted.includes('/') && !wanted.includes('*') && baseName(wanted) === baseName(given));

const fitsAt = (word: string, given: string | undefined): boolean =>
  given === undefined || fitsWildcard(word, given);

const find = (word: string, given: readonly (string | undefined)[], from: number): number =>
  given.findIndex((each, index) => index >= from && fitsAt(word, each));

/** It runs its words, or takes one of them for a script: a later one may be what is denied. */
function behind(wanted: readonly string[], program: string, rest: readonly (string | undefined)[]): Fit {
  const inWords = runsWords(program)
    ? either(...rest.map((_, index) => startsWith(wanted, rest.slice(index))))
    : 'no';
  const inScripts = runsWords(program) || runsScripts(program) ? scripts(wanted, rest) : 'no';
  return either(inWords, inScripts);
}

/** `sh -c "rm x"`: words that are commands themselves. */
function scripts(wanted: readonly string[], given: readonly (string | undefined)[]): Fit {
  const fits = [...given, given.join(' ')].map((word): Fit => {
    const commands = word ? simpleCommands(word) : undefined;
    return either(...(commands ?? []).map(({ words }) => startsWith(wanted, words.map(literal))));
  });
  return either(...fits);
}
