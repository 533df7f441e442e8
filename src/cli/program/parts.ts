// What every command of the program is made of.
import { type Command, InvalidArgumentError } from 'commander';
import { reachNode } from '../client/control-client.ts';
import { stateDir } from '../paths.ts';

/** Command name → adds it to the program. */
export type CommandTable = Readonly<Record<string, (root: Command) => void>>;

/** The state directory that a command is about. With `--node`, its bridge leads to the one that is meant. */
export function stateOf(options: { stateDir?: string; node?: string }): string {
  if (options.node !== undefined) reachNode(options.node);
  return stateDir(options.stateDir, process.env);
}

/** The command's result is the exit code. */
export async function exitWith(code: Promise<number> | number): Promise<void> {
  process.exitCode = await code;
}

export const withState = (command: Command): Command =>
  command.option('--state-dir <dir>', 'where the bridge keeps its state');

/** For what a running bridge is asked alone. */
export const withBridge = (command: Command): Command =>
  withState(command).option(
    '--node <name>',
    'on another machine of the cluster (see `synthesis cluster status`)',
  );

export const withJson = (command: Command): Command => command.option('--json', 'print JSON', false);

/** For a flag that may be given more than once. */
export const collect = (value: string, values: string[]): string[] => [...values, value];

export const sessionWords = 'name, id, key, or a unique prefix of one (see `synthesis ps`)';

/** A session that somebody has named: an empty variable of a script names none. */
export function named(session: string): string {
  if (session.trim() === '') throw new InvalidArgumentError('It names no session.');
  return session;
}

export const everyNamed = (session: string, sessions: string[] | undefined): string[] => [
  ...(sessions ?? []),
  named(session),
];

/** Lines to learn from, below the flags. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, does: string])[],
): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `  $ ${line.padEnd(width)}  ${does}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return value;
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}
