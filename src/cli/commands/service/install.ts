import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../../cli-error.ts';
import { callBridge, readBridgeFile } from '../../client/control-client.ts';
import { readConfig } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, say } from '../../output/out.ts';
import { configFile, stateDir } from '../../paths.ts';
import { version } from '../../version.ts';
import { makeRoom } from '../up/up-replace.ts';
import { findProgram } from './doubts.ts';
import { kindFor, type ServiceKind } from './kind.ts';
import type { ServiceManager } from './manager.ts';
import { carriedOf, type ServiceSettings } from './settings.ts';
import { installedUnit, writeUnit } from './unit-file.ts';

export interface InstallOptions {
  stateDir?: string;
  cwd?: string;
  /** Takes over from a bridge that is not the service. */
  replace: boolean;
  dryRun: boolean;
}

/** A long journal on a slow disk takes longer than a second. Milliseconds. */
const patience = 60_000;

export async function serviceInstall(options: InstallOptions, platform: NodeJS.Platform): Promise<number> {
  const kind = kindFor(platform);
  const there = installedUnit(kind);
  const settings = { ...settingsFor(kind, options, there?.settings), ...(await kind.found()) };
  const text = kind.text(settings);
  if (options.dryRun) {
    print(text.trimEnd());
    return exitCodes.ok;
  }
  const manager = await kind.manager(process.env);
  if (there && !there.settings) throw foreign(kind);
  const before = await manager.state();
  const { stateDir: state } = settings;
  const other = await bridgeOn(state);
  const isOurs = other !== undefined && other === before.pid;
  if (other !== undefined && !isOurs && !options.replace) throw alreadyRuns(other, state);
  const same = there?.text === text;
  if (same && isOurs && before.enabled) {
    say(`Nothing changed: the service is installed and runs (pid ${before.pid}).`);
    sayLinger(manager);
    return exitCodes.ok;
  }
  if (!same) writeUnit(kind.file(), text);
  await manager.enable();
  if (other !== undefined && !isOurs) await makeRoom(state);
  await manager.restart();
  const pid = await answers(manager, state);
  say(`${there ? 'The service was brought up to date' : 'The service is installed'} and runs (pid ${pid}).`);
  say(
    `Its ${kind.noun} is ${kind.file()}; sessions work in ${settings.cwd}, unless the configuration says otherwise.`,
  );
  if (settings.claude === null)
    say('Claude Code was not found. Install it, and run `synthesis service install` again.');
  sayLinger(manager);
  say('How it is: `synthesis service status`. To take it out again: `synthesis service uninstall`.');
  return exitCodes.ok;
}

/** What is not given is as it was at the last install. @throws CliError */
function settingsFor(
  { fits }: ServiceKind,
  options: InstallOptions,
  before: ServiceSettings | undefined,
): ServiceSettings {
  const env = { ...before?.env, ...carriedOf(process.env) };
  const config = readConfig(configFile(env), env, {});
  const chosen = options.stateDir ?? (process.env.SYNTHESIS_HOME ? undefined : before?.stateDir);
  const settings: ServiceSettings = {
    version,
    node: process.execPath,
    program: resolve(process.argv[1] ?? ''),
    claude: findProgram(config.claude, process.env.PATH ?? '') ?? null,
    home: homedir(),
    cwd: resolve(options.cwd ?? before?.cwd ?? process.cwd()),
    stateDir: stateDir(chosen, env),
    env,
  };
  if (!existsSync(settings.cwd))
    throw new CliError(
      'usage',
      'bad_folder',
      `The folder ${settings.cwd} does not exist; nothing was changed.`,
      'Make it, or name another one with --cwd.',
    );
  const { node, program, claude, home, cwd, stateDir: state } = settings;
  const odd = [node, program, claude ?? '', home, cwd, state, ...Object.values(env)].find(
    (value) => !fits.test(value),
  );
  if (odd !== undefined)
    throw new CliError(
      'usage',
      'bad_folder',
      `${fits.what} cannot hold ${JSON.stringify(odd)}; nothing was changed.`,
      `Name a folder ${fits.rule}.`,
    );
  return settings;
}

/** @returns its pid; undefined when none answers */
async function bridgeOn(state: string): Promise<number | undefined> {
  try {
    await callBridge(state, 'bridge.status', {}, { timeoutMs: 5_000 });
    return readBridgeFile(state)?.pid;
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return undefined;
    throw error;
  }
}

/** @returns the pid of the service when it answers operators @throws CliError `start_failed` */
async function answers(manager: ServiceManager, state: string): Promise<number> {
  const end = performance.now() + patience;
  for (;;) {
    const { pid, active, status, restarts } = await manager.state();
    if (pid !== null && readBridgeFile(state)?.pid === pid && (await bridgeOn(state)) === pid) return pid;
    const isOver = active === 'failed' || active === 'inactive';
    if (isOver || restarts > 1 || performance.now() > end) {
      const how = isOver || restarts > 1 ? `It ended with exit code ${status}` : 'It does not answer yet';
      throw new CliError(
        'failure',
        'start_failed',
        `The service is installed, but the bridge did not start. ${how}.`,
        `\`synthesis service logs\` says why, and so does \`synthesis up\` in this terminal. Mend that and run \`synthesis service install\` again.`,
      );
    }
    await delay(50);
  }
}

function sayLinger({ lingers, untilLogout }: ServiceManager): void {
  if (!lingers) say(untilLogout.sentence);
}

const alreadyRuns = (pid: number, state: string) =>
  new CliError(
    'failure',
    'bridge_runs',
    `A bridge that is not the service runs on ${state} (pid ${pid}); nothing was changed.`,
    '`synthesis service install --replace` stops it and goes on in its place; its Claude Codes go on.',
  );

const foreign = (kind: ServiceKind) =>
  new CliError(
    'failure',
    'foreign_unit',
    `${kind.file()} was not made by synthesis; nothing was changed.`,
    'Move it away, and run the same command again.',
  );
