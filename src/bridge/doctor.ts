// Looks at what the bridge depends on. Every finding says what to do; nothing is changed.

import { statfsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Check } from '../domain/views/check.ts';
import type { Config } from '../protocol/config.ts';
import { newestTestedClaude, oldestClaude, PreflightCheck } from './claude/preflight.ts';
import { claudeCommand } from './claude-command.ts';
import { tokenSource } from './ingress/agp/token-source.ts';
import { checkOpenClaw } from './openclaw-setup.ts';

export interface DoctorOptions {
  config: Config;
  stateDir: string;
  /** The executable of OpenClaw. */
  openclaw: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A bridge runs on this state directory, at this address. */
  running: { url: string } | undefined;
}

/** Free space below which the journal might not fit, bytes. */
const leastSpace = 200 * 1024 * 1024;

/** Checks that need no running bridge. Never rejects: a check that cannot be made is a warning. */
export async function examine(options: DoctorOptions): Promise<Check[]> {
  const checks = [claude, signIn, pseudoterminal, stateDirectory, disk, port, openclaw, gatewayTokens];
  const found = await Promise.all(
    checks.map(async (check) => {
      try {
        return await check(options);
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        return warning(check.name, `It could not be checked: ${detail}`, 'Run `synthesis doctor` again.');
      }
    }),
  );
  return found.flat();
}

const openclaw = (options: DoctorOptions): Promise<Check[]> => checkOpenClaw(options);

const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, suggestion: null });
const warning = (name: string, message: string, suggestion: string): Check => ({
  name,
  status: 'warning',
  message,
  suggestion,
});
const failed = (name: string, message: string, suggestion: string): Check => ({
  name,
  status: 'failed',
  message,
  suggestion,
});

/** The tokens of WeChat gateways; whether a gateway takes them, the running bridge knows. */
async function gatewayTokens({ config }: DoctorOptions): Promise<Check[]> {
  return config.agp.map((gateway) => {
    const read = tokenSource(gateway)();
    if (read.ok) return ok('agp', `There is a token for ${gateway.url}`);
    return failed('agp', `${gateway.url}: ${read.words}`, 'Correct `tokenFile` in its entry under `agp`.');
  });
}

const preflight = ({ config, env }: DoctorOptions) =>
  new PreflightCheck({ claudeCommand: claudeCommand(config.claude), env });

async function claude(options: DoctorOptions): Promise<Check> {
  const found = await preflight(options).run();
  if (!found.ok) {
    return failed('claude', found.detail, 'Install or update Claude Code, or name it with --claude.');
  }
  if (found.version === undefined) {
    return warning(
      'claude',
      `${found.command.join(' ')} did not tell its version.`,
      'Run it with --version.',
    );
  }
  const range = `tested from ${oldestClaude} to ${newestTestedClaude}`;
  return ok('claude', `Claude Code ${found.version} at ${found.command.join(' ')} (${range})`);
}

async function signIn(options: DoctorOptions): Promise<Check> {
  const signedIn = await preflight(options).signedIn();
  if (signedIn) return ok('sign-in', 'Claude Code is signed in.');
  if (signedIn === undefined) {
    return warning(
      'sign-in',
      'Claude Code did not say whether it is signed in.',
      'Run `claude auth status`.',
    );
  }
  return warning(
    'sign-in',
    'Claude Code is not signed in.',
    'Run `claude` once and sign in; a key or token in its environment works, too.',
  );
}

async function pseudoterminal(): Promise<Check> {
  await import('@lydell/node-pty');
  return ok('terminal', 'Pseudoterminals can be opened.');
}

async function stateDirectory({ stateDir }: DoctorOptions): Promise<Check> {
  const existing = await firstExisting(stateDir);
  await access(existing, constants.W_OK);
  return ok('state', `State is kept in ${stateDir}`);
}

async function firstExisting(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch {
    return path === dirname(path) ? path : firstExisting(dirname(path));
  }
}

async function disk({ stateDir }: DoctorOptions): Promise<Check> {
  const { bavail, bsize } = statfsSync(await firstExisting(stateDir));
  const free = bavail * bsize;
  const megabytes = `${Math.round(free / 1024 / 1024)} MB free`;
  if (free < leastSpace)
    return warning('disk', `Only ${megabytes} for the journal.`, 'Make room on that disk.');
  return ok('disk', `${megabytes} for the journal`);
}

async function port({ config, running }: DoctorOptions): Promise<Check> {
  if (running) return ok('port', `The bridge serves ${running.url}`);
  if (config.port === 0) return ok('port', 'Any free port is taken at the start.');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen({ host: '127.0.0.1', port: config.port }, () => resolve(true));
  const free = await promise;
  probe.close();
  if (free) return ok('port', `Port ${config.port} is free.`);
  return failed(
    'port',
    `Port ${config.port} on 127.0.0.1 is in use by another program.`,
    'Choose one with --port.',
  );
}
