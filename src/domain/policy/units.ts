// A call as the things that it does, each of which is judged for itself.
import { fields, type NamedCall } from './call.ts';
import { commandPaths, workingFolders } from './command-paths.ts';
import { type InputCommands, inputCommands } from './input-commands.ts';
import { inputPaths, type LoosePaths, loosePaths } from './input-paths.ts';
import { type InputHosts, inputHosts } from './match/input-host.ts';
import type { Reading } from './meaning/meaning.ts';
import { readInput } from './meaning/read-input.ts';
import type { Place } from './place.ts';
import type { SimpleCommand } from './shell.ts';
import type { Spelling } from './spelling.ts';

/** What the fields of an input say, read once for all rules. */
export interface InputView {
  reading: Reading;
  commands: InputCommands;
  paths: readonly Spelling[];
  loosePaths(): LoosePaths;
  hosts(): InputHosts;
}

/** One thing that a call does: a simple command of a script, or the whole of another tool. */
export interface Unit {
  call: NamedCall;
  input: InputView;
  /** Undefined for what is no shell command, or cannot be read. */
  command?: SimpleCommand;
  /** A shell command that cannot be taken apart. */
  unreadable?: true;
  /** Of the fields, and of the words of the command. */
  paths: readonly Spelling[];
}

export function unitsOf(call: NamedCall, place: Place): Unit[] {
  const input = viewOf(call, place);
  const { commands, unreadable } = input.commands;
  const whole: Unit = { call, input, paths: input.paths };
  const folders = workingFolders(commands, { ...place, cwd: startOf(call, place) });
  const units = commands.map(
    (command): Unit => ({
      call,
      input,
      command,
      paths: [...input.paths, ...commandPaths(command, place, folders)],
    }),
  );
  if (unreadable) units.push({ ...whole, unreadable: true });
  return units.length === 0 ? [whole] : units;
}

function viewOf(call: NamedCall, place: Place): InputView {
  const reading = readInput(call);
  return {
    reading,
    commands: inputCommands(reading),
    paths: inputPaths(call, reading, place),
    loosePaths: once(() => loosePaths(reading, place)),
    hosts: once(() => inputHosts(reading)),
  };
}

/** Where a command starts. Claude Code's own has no field for it: it stays where it is. */
function startOf({ lent, input }: NamedCall, { cwd }: Place): string | undefined {
  const { workdir, cwd: given } = fields(input);
  const told = [workdir, given].find((each) => typeof each === 'string' && each.startsWith('/'));
  return lent && typeof told === 'string' ? told : cwd;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
