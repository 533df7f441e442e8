// The shell commands that the fields of a tool's input hold.
import { fitsCommand } from './match/match-command.ts';
import type { Field, Reading } from './meaning/meaning.ts';
import { type SimpleCommand, simpleCommands } from './shell.ts';

export interface InputCommands {
  commands: readonly SimpleCommand[];
  /** At least one cannot be taken apart. */
  unreadable: boolean;
  /** There is code, or input for a program that runs: it may do anything. */
  code: boolean;
  /** Commands that a text says of which nobody knows what it is. */
  loose: readonly SimpleCommand[];
  /** Such texts that are too long to be taken apart. */
  long: readonly string[];
}

/** Commands of all fields together beyond which the rest is asked about. */
const mostCommands = 1_000;
/** As in `shell.ts`: characters. */
const longest = 20_000;

export function inputCommands({ fields }: Reading): InputCommands {
  const valuesOf = (meant: (field: Field) => boolean): unknown[] =>
    fields.filter(meant).map(({ value }) => value);
  const listed = fields.filter(({ meaning, list }) => meaning === 'command' && list !== undefined);
  const code = valuesOf(({ meaning }) => meaning === 'code');
  // The words of a list may as well be one command after the other.
  const loose = valuesOf(({ meaning, list }) => isLoose(meaning) || list !== undefined).filter(
    (value) => typeof value === 'string',
  );
  const whole = [
    ...valuesOf(({ meaning, list }) => meaning === 'command' && list === undefined),
    ...Map.groupBy(listed, ({ list }) => list)
      .values()
      .map(joined),
  ].map(commandsOf);
  const commands = [...whole, ...code.map(commandsOf)].flatMap((each) => each ?? []);
  return {
    commands: commands.slice(0, mostCommands),
    unreadable: whole.includes(undefined) || commands.length > mostCommands,
    code: code.length > 0,
    loose: [...loose, ...together(loose)].flatMap((text) => commandsOf(bare(text)) ?? []),
    long: loose.filter((text) => text.length > longest),
  };
}

/** `LESSOPEN='|rm x'`, `alias.p='!rm x'`: a mark in front of a command. */
const bare = (text: string): string => text.replace(/^[|!@\s-]{1,8}/, '');

/** `{"program": "rm", "args": ["x"]}`: one of the texts may be the program, and the others its words. */
const together = (texts: readonly string[]): string[] =>
  texts.length < 2 || texts.length > mostTogether
    ? []
    : texts.map((program, at) => [program, ...texts.filter((_, other) => other !== at)].join(' '));

const mostTogether = 12;

/** The words of a list as a shell would be given them; undefined where one is none. */
const joined = (list: readonly Field[]): string | undefined =>
  list.every(({ value }) => typeof value === 'string')
    ? list.map(({ value }) => quoted(String(value))).join(' ')
    : undefined;

const commandsOf = (text: unknown): SimpleCommand[] | undefined =>
  typeof text === 'string' ? simpleCommands(text) : undefined;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const isLoose = (meaning: Field['meaning']): boolean =>
  meaning === 'unknown' || meaning === 'words' || meaning === 'power';

/** Whether a text that may be anything says this command: only one that certainly would run it counts. */
export function maySay(pattern: string, { loose, long }: InputCommands): boolean {
  const program = pattern.replace(/[\s*].*/s, '').toLowerCase();
  return (
    loose.some((command) => fitsCommand(pattern, command, true) === 'yes') ||
    long.some((text) => text.toLowerCase().includes(program))
  );
}
