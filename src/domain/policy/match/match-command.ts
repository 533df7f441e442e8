// A rule's `command` against one simple command.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { baseName, isRunner, mayRunAnything, runsByOption } from '../programs.ts';
import { either, type Fit } from '../ruling.ts';
import { type SimpleCommand, simpleCommands } from '../shell.ts';
import { literal } from '../shell-word.ts';

/** @param pattern the first words of a command; `*` stands for any text within a word */
export function fitsCommand(pattern: string, command: SimpleCommand, restricts: boolean): Fit {
  const wanted = pattern.split(/\s+/);
  return restricts ? mayBe(wanted, command) : isExactly(wanted, command);
}

/** For a rule that allows: the words as they are written, and nothing that changes what they do. */
function isExactly(wanted: readonly string[], { words, redirects, assigned }: SimpleCommand): Fit {
  if (assigned.length > 0) return 'no';
  if (redirects.some(({ word, writes }) => writes && literal(word) !== '/dev/null')) return 'no';
  const fits = wanted.every((word, index) => {
    const given = words[index] && literal(words[index]);
    return given !== undefined && (index === 0 ? given === word : fitsWildcard(word, given));
  });
  return fits ? 'yes' : 'no';
}

/** For a rule that restricts: however it is quoted, wherever it lies, and behind programs that run others. */
function mayBe(wanted: readonly string[], { words, assigned }: SimpleCommand): Fit {
  const [first, ...rest] = words;
  // `EDITOR="rm x" git commit`: what another program may run.
  const set = scripts(
    wanted,
    assigned.map(({ value }) => literal(value)),
  );
  const told = set === 'no' ? 'no' : 'maybe';
  if (!first) return told;
  const program = literal(first);
  if (program === undefined) return 'maybe';
  const given = words.map(literal);
  const direct = startsWith(wanted, given);
  const inner = isRunner(program) ? behind(wanted, given) : 'no';
  const nested = mayRunAnything(program) ? either('maybe', scripts(wanted, given.slice(1))) : 'no';
  // The word behind `grep -c` is no program, the one behind `find -exec` is: so it is not decided here, either.
  const runs = rest.some((_, index) => runsByOption(given[index + 1] ?? ''));
  const option = runs && behind(wanted, given.flatMap(withValue)) !== 'no' ? 'maybe' : 'no';
  return either(direct, inner, nested, option, told);
}

/** `--to-command=rm`, `--checkpoint-action=exec=rm`, `alias.x=!rm y`: an option, and what it runs. */
const withValue = (word: string | undefined): (string | undefined)[] => [
  word,
  word?.replace(/^[^=]*=(?:exec=)?!?/, ''),
];

/** Options may stand between the words of a command: whether `git -C x push` is `git push` is not decided here. */
function startsWith(wanted: readonly string[], given: readonly (string | undefined)[]): Fit {
  const [program = '', ...words] = wanted;
  if (!fitsWildcard(program.toLowerCase(), baseName(given[0] ?? ''))) return 'no';
  if (words.every((word, index) => fitsWildcard(word, given[index + 1] ?? '\0'))) return 'yes';
  let from = 1;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const at = given.findIndex(
      (each, index) => index >= from && (each === undefined || fitsWildcard(word, each)),
    );
    if (at === -1) return 'no';
    from = at + 1;
  }
  return 'maybe';
}

/** One of the later words may be the program: which of them are options is the business of each runner. */
function behind(wanted: readonly string[], given: readonly (string | undefined)[]): Fit {
  if (given.some((word) => word === undefined || word.includes('{}'))) return 'maybe';
  return either(
    ...given.map((word, index) =>
      word && mayRunAnything(word) ? 'maybe' : startsWith(wanted, given.slice(index)),
    ),
    // `env -S "rm x"` takes its words from one.
    scripts(wanted, given),
  );
}

/** `sh -c "rm x"`: words that are commands themselves. */
function scripts(wanted: readonly string[], given: readonly (string | undefined)[]): Fit {
  const fits = [...given, given.join(' ')].map((word): Fit => {
    const commands = word ? simpleCommands(word) : undefined;
    return either(...(commands ?? []).map(({ words }) => startsWith(wanted, words.map(literal))));
  });
  return either(...fits);
}
