// The flags of `tools add` as an entry of `providers` in the configuration. No error repeats a value: it may be a secret.
import { resolve } from 'node:path';
import { CliError } from '../../cli-error.ts';
import type { ConfigLayer } from '../../config/config-file.ts';
import { duration } from '../../duration.ts';

export interface EntryFlags {
  name: string;
  /** And its arguments; empty for `--url` and `--module`. */
  program: readonly string[];
  url?: string;
  module?: string;
  /** `KEY=VALUE`, or `KEY` of the caller's environment. */
  env: readonly string[];
  /** `Name: value` */
  header: readonly string[];
  cwd?: string;
  tool: readonly string[];
  permission: readonly string[];
  timeout?: string;
}

/**
 * Only what was given: defaults are not written.
 * @param env of the caller
 * @param here what relative paths start from
 * @throws CliError `bad_provider`; what the schema knows better is left to it
 */
export function entryOf(
  flags: EntryFlags,
  env: Record<string, string | undefined>,
  here: string,
): ConfigLayer {
  const { name, url, module, tool, permission } = flags;
  requireOneKind(flags);
  const cwd = flags.cwd === undefined ? undefined : resolve(here, flags.cwd);
  const command = commandOf(flags.program, cwd ?? here);
  const variables = flags.env.map((text, at) => variableOf(text, at, env));
  const headers = flags.header.map(headerOf);
  return {
    name,
    ...(command.length > 0 && { command }),
    ...(url !== undefined && { url }),
    ...(module !== undefined && { module: resolve(here, module) }),
    ...(variables.length > 0 && { env: Object.fromEntries(variables) }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(cwd !== undefined && { cwd }),
    ...(tool.length > 0 && { tools: tool }),
    ...(permission.length > 0 && { permissions: permission }),
    ...(flags.timeout !== undefined && { timeoutMs: millisecondsOf(flags.timeout) }),
  };
}

function requireOneKind({ program, url, module, env, header, cwd }: EntryFlags): void {
  const given = [program.length > 0, url !== undefined, module !== undefined].filter(Boolean).length;
  const how = 'Give a program behind --, or --url, or --module: see `synthesis tools add --help`.';
  if (given === 0) throw wrong('It is not said what the provider is', how);
  if (given > 1) throw wrong('A provider is a program, a URL or a module, and more than one is given', how);
  if (program.length === 0 && env.length > 0) throw misfit('--env', 'a program');
  if (program.length === 0 && cwd !== undefined) throw misfit('--cwd', 'a program');
  if (url === undefined && header.length > 0) throw misfit('--header', '--url');
}

/** A program with a path is where it is now, wherever the bridge is started. */
const commandOf = ([file, ...args]: readonly string[], from: string): string[] =>
  file === undefined ? [] : [file.includes('/') ? resolve(from, file) : file, ...args];

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);
/** Whoever forgot the name has typed the secret alone, which rarely looks so. */
const isCommonName = (text: string): boolean => /^[A-Z][A-Z0-9_]{0,39}$/.test(text);

function variableOf(text: string, at: number, env: Record<string, string | undefined>): [string, string] {
  const end = text.indexOf('=');
  const name = end < 0 ? text : text.slice(0, end);
  if (!isName(name))
    throw wrong(`--env number ${at + 1} does not begin with a name`, 'Write it as KEY=VALUE, or KEY alone.');
  if (end >= 0) return [name, text.slice(end + 1)];
  const value = env[name];
  if (value !== undefined) return [name, value];
  const which = isCommonName(name) ? `--env ${name}` : `--env number ${at + 1}`;
  throw wrong(
    `${which} is to be taken from your environment, and is not set there`,
    'Export it first, or write KEY=VALUE.',
  );
}

function headerOf(text: string, at: number): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value.trimEnd()];
  throw wrong(`--header number ${at + 1} is no header`, "Write it as 'Name: value', on one line.");
}

function millisecondsOf(text: string): number {
  const ms = duration(text);
  if (ms !== undefined) return Math.round(ms);
  throw wrong(`--timeout "${text}" is not a span of time`, 'Write seconds, or for example 90s, 10m.');
}

const misfit = (flag: string, kind: string): CliError =>
  wrong(`${flag} goes with ${kind}`, 'Leave it out, or look at `synthesis tools add --help`.');

const wrong = (message: string, suggestion: string): CliError =>
  new CliError('usage', 'bad_provider', `${message}. Nothing was changed.`, suggestion);
