// What may go on although everything was ended: work that was handed to a program which is not Claude's. Nothing tells whose
// it is, so what began while a Claude Code lived is named, and nothing of it is ended (0060).
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { lookAt } from '../base/process/process-table.ts';
import { runProgram } from '../base/process/run-program.ts';

export interface UnseenOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Start of the oldest Claude Code, seconds since the machine was started. */
  since: number;
}

/** For all programs together, which run side by side, ms. */
const askMs = 1_000;
/** Named of each kind. */
const maxNamed = 10;
/** Ticks of the kernel's clock in a second, as /proc tells them on every architecture. */
const ticksPerSecond = 100;

/** What takes work from others, by the program that hands it over. */
const takers = [
  ['crontab', 'cron'],
  ['at', 'at'],
  ['systemd-run', 'systemd'],
  ['tmux', 'tmux'],
  ['ssh', 'ssh'],
] as const;

/** Returns it in words; empty where there is no program that work could be handed to. */
export async function unseenWork({ env, since }: UnseenOptions): Promise<string[]> {
  const path = env.PATH ?? '';
  const names = takers.filter(([file]) => isProgram(file, path)).map(([, name]) => name);
  if (names.length === 0) return [];
  const last = names.length > 1 ? ` or ${names.at(-1)}` : '';
  const first = names.length > 1 ? names.slice(0, -1).join(', ') : names[0];
  const found = await Promise.all([units(env, since), jobs(env), panes(env, since)]);
  return [
    `What Claude Code handed to ${first}${last} before goes on: nothing here can tell it from your own.`,
    ...found.flat(),
  ];
}

/** Units of the user's systemd that became active since, but for hosts. */
async function units(env: UnseenOptions['env'], since: number): Promise<string[]> {
  const show = ['--property=Id,ActiveState,ActiveEnterTimestampMonotonic', '*.service', '*.timer', '*.scope'];
  const text = await said(env, ['systemctl', '--user', 'show', ...show]);
  const young = text.split('\n\n').flatMap((block) => {
    const {
      Id = '',
      ActiveState,
      ActiveEnterTimestampMonotonic: at,
    } = Object.fromEntries(block.split('\n').map((line) => line.split('=', 2)));
    const isOurs = Id.startsWith('synthesis-host-');
    return ActiveState === 'active' && !isOurs && Number(at) / 1e6 >= since ? [Id] : [];
  });
  return named(
    young,
    'unit of your systemd',
    'units of your systemd',
    'began',
    'systemctl --user stop <unit>',
  );
}

/** Nothing tells when they were made. */
async function jobs(env: UnseenOptions['env']): Promise<string[]> {
  const lines = (await said(env, ['atq'])).split('\n').filter(Boolean);
  return named(
    lines.map((line) => line.split('\t', 1)[0] ?? ''),
    'job of at',
    'jobs of at',
    'waits',
    'atrm <job>',
  );
}

/** Of the user's own tmux. */
async function panes(env: UnseenOptions['env'], since: number): Promise<string[]> {
  const format = '#{pane_pid} #{session_name}:#{window_index}.#{pane_index} (#{pane_current_command})';
  const text = await said(env, ['tmux', 'list-panes', '-a', '-F', format]);
  const young = text.split('\n').flatMap((line) => {
    const [pid = '', ...name] = line.split(' ');
    const started = Number(lookAt(Number(pid))?.started ?? Number.NaN) / ticksPerSecond;
    return started >= since ? [name.join(' ')] : [];
  });
  return named(young, 'pane of your tmux', 'panes of your tmux', 'began', 'tmux kill-pane -t <pane>');
}

function named(all: readonly string[], one: string, more: string, what: string, how: string): string[] {
  if (all.length === 0) return [];
  const rest = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : '';
  const verb = all.length === 1 ? what : what.replace(/s$/, '');
  const when = what === 'began' ? ' while a Claude Code lived' : '';
  const list = `${all.slice(0, maxNamed).join(', ')}${rest}`;
  return [
    `${all.length} ${all.length === 1 ? one : more} ${verb}${when}: ${list}. End what is not yours with \`${how}\`.`,
  ];
}

/** @returns '' when it is not there, fails or takes too long */
async function said(env: UnseenOptions['env'], command: readonly string[]): Promise<string> {
  const result = await runProgram({ command, timeoutMs: askMs, env });
  return result.ok ? result.stdout : '';
}

const isProgram = (file: string, path: string): boolean =>
  path.split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, file)));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
