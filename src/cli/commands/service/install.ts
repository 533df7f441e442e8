import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError } from '../../cli-error.ts';
import { callBridge, readBridgeFile } from '../../client/control-client.ts';
import { readConfig } from '../../config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, say } from '../../output/out.ts';
import { configFile, stateDir } from '../../paths.ts';
import { version } from '../../version.ts';
import { makeRoom } from '../up-replace.ts';
import { findProgram } from './doubts.ts';
import { carriedOf, type ServiceSettings } from './settings.ts';
import { Systemctl } from './systemctl.ts';
import { fitsUnit, unitName, unitText } from './unit.ts';
import { installedUnit, unitFile, writeUnit } from './unit-file.ts';

export interface InstallOptions {
  stateDir?: string;
  cwd?: string;
  /** Takes over from a bridge that is not the service. */
  replace: boolean;
  dryRun: boolean;
}

/** A long journal on a slow disk takes longer than a second. Milliseconds. */
const patience = 60_000;

export async function serviceInstall(options: InstallOptions): Promise<number> {
  const there = installedUnit();
  const settings = settingsFor(options, there?.settings);
  const text = unitText(settings);
  if (options.dryRun) {
    print(text.trimEnd());
    return exitCodes.ok;
  }
  const systemctl = new Systemctl(process.env);
  if (there && !there.settings) throw foreign();
  const before = await systemctl.state();
  const { stateDir: state } = settings;
  const other = await bridgeOn(state);
  const isOurs = other !== undefined && other === before.pid;
  if (other !== undefined && !isOurs && !options.replace) throw alreadyRuns(other, state);
  const same = there?.text === text;
  if (same && isOurs && before.enabled) {
    say(`Nothing changed: the service is installed and runs (pid ${before.pid}).`);
    sayLinger(systemctl);
    return exitCodes.ok;
  }
  if (!same) writeUnit(text);
  await systemctl.run('daemon-reload');
  await systemctl.run('enable', unitName);
  if (other !== undefined && !isOurs) await makeRoom(state);
  await systemctl.run('reset-failed', unitName).catch(() => {});
  await systemctl.run('restart', unitName);
  const pid = await answers(systemctl, state);
  say(`${there ? 'The service was brought up to date' : 'The service is installed'} and runs (pid ${pid}).`);
  say(
    `Its unit is ${unitFile()}; sessions work in ${settings.cwd}, unless the configuration says otherwise.`,
  );
  if (settings.claude === null)
    say('Claude Code was not found. Install it, and run `synthesis service install` again.');
  sayLinger(systemctl);
  say('How it is: `synthesis service status`. To take it out again: `synthesis service uninstall`.');
  return exitCodes.ok;
}

/** What is not given is as it was at the last install. @throws CliError */
function settingsFor(options: InstallOptions, before: ServiceSettings | undefined): ServiceSettings {
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
    (value) => !fitsUnit(value),
  );
  if (odd !== undefined)
    throw new CliError(
      'usage',
      'bad_folder',
      `A unit of systemd cannot hold ${JSON.stringify(odd)}; nothing was changed.`,
      'Name a folder without control characters that does not end in a backslash.',
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
async function answers(systemctl: Systemctl, state: string): Promise<number> {
  const end = performance.now() + patience;
  for (;;) {
    const { pid, active, status, restarts } = await systemctl.state();
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

function sayLinger({ manager }: Systemctl): void {
  if (manager.lingers) return;
  say(
    'Linger is off: the service runs while you are logged in, and ends with your last logout. `loginctl enable-linger` lets it run from the start of the machine on.',
  );
}

const alreadyRuns = (pid: number, state: string) =>
  new CliError(
    'failure',
    'bridge_runs',
    `A bridge that is not the service runs on ${state} (pid ${pid}); nothing was changed.`,
    '`synthesis service install --replace` stops it and goes on in its place; its Claude Codes go on.',
  );

const foreign = () =>
  new CliError(
    'failure',
    'foreign_unit',
    `${unitFile()} was not made by synthesis; nothing was changed.`,
    'Move it away, and run the same command again.',
  );
