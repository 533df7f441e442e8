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
  const texts: unknown[] = [];
  const pieces: unknown[] = [];
  const code: unknown[] = [];
  const loose: string[] = [];
  const lists = new Map<string, unknown[]>();
  for (const { meaning, value, list } of fields) {
    if (meaning === 'code') code.push(value);
    else if (meaning === 'command' && list !== undefined) pushTo(lists, list, value);
    else if (meaning === 'command') texts.push(value);
    else if (isLoose(meaning) && typeof value === 'string') loose.push(value);
  }
  for (const list of lists.values()) {
    texts.push(list.every((each) => typeof each === 'string') ? list.map(quoted).join(' ') : undefined);
    // It may as well be one command after the other.
    pieces.push(...list);
  }
  const read = texts.map(commandsOf);
  const commands = [...read, ...[...pieces, ...code].map(commandsOf)].flatMap((each) => each ?? []);
  return {
    commands: commands.slice(0, mostCommands),
    unreadable: read.includes(undefined) || commands.length > mostCommands,
    code: code.length > 0,
    loose: loose.flatMap((text) => (text.length > longest ? [] : (commandsOf(text) ?? []))),
    long: loose.filter((text) => text.length > longest),
  };
}

function pushTo(lists: Map<string, unknown[]>, list: string, value: unknown): void {
  const before = lists.get(list);
  if (before) before.push(value);
  else lists.set(list, [value]);
}

const commandsOf = (text: unknown): SimpleCommand[] | undefined =>
  typeof text === 'string' ? simpleCommands(text) : undefined;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const isLoose = (meaning: Field['meaning']): boolean =>
  meaning === 'unknown' || meaning === 'words' || meaning === 'power';

/** Whether a text that may be anything says this command: only one that certainly would run it counts. */
export function maySay(pattern: string, { loose, long }: InputCommands): boolean {
  const program = pattern.split(/[\s*]/, 1)[0]?.toLowerCase() ?? '';
  return (
    loose.some((command) => fitsCommand(pattern, command, true) === 'yes') ||
    long.some((text) => text.toLowerCase().includes(program))
  );
}
