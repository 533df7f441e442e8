// The wall around Claude Code, proven from inside: a program that is started as Claude Code would be tries to leave.
import { join } from 'node:path';
import { readPrivate } from '../../../base/files/private-file.ts';
import { type Check, failed, ok, warning } from '../../../domain/views/check.ts';
import { containModes } from '../../../domain/views/contain-modes.ts';
import { realDisk } from '../../claude/contain/disk.ts';
import { prices } from '../../claude/contain/let-in.ts';
import { tryInside } from '../../claude/contain/try-inside.ts';
import { findExecutable } from '../../claude/launch/find-executable.ts';
import { containAccess } from '../../contain-access.ts';
import { ownFiles } from '../../own-files.ts';
import { launchOptions } from '../../profiles.ts';
import { containFindings } from '../../setup/contain.ts';
import { bridgeTokenFile } from '../../tokens/bridge-token.ts';
import type { DoctorOptions, Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';

const name = 'contain';

export const contain: Examination = async (options) => {
  const { config, env } = options;
  const found = await containFindings(config, workFolders(config), env);
  const modes = containModes(config);
  if (found.length > 0 || !(modes.has('on') || modes.has('required'))) return found;
  // The general setting, and each profile that has one of its own.
  const keys = ['', ...config.profiles.map(({ match }) => match)];
  const wanted = keys.filter((key) => launchOptions(here(options), key).contain !== undefined);
  const checks = await Promise.all(wanted.map((key) => tried(options, key)));
  return [...new Map(checks.flat().map((check) => [check.message, check])).values()];
};

const here = ({ config }: DoctorOptions) => ({ ...config, cwd: config.cwd ?? process.cwd() });

async function tried(options: DoctorOptions, key: string): Promise<Check[]> {
  const { config, stateDir, configFile, env } = options;
  const { control, pid } = bridgeIn(stateDir);
  const own = ownFiles(stateDir, configFile, config, env);
  const access = containAccess(config, key, {
    own,
    controlPath: control ?? join(stateDir, 'control.sock'),
    env,
  });
  const { cwd } = launchOptions(here(options), key);
  const room = { access, cwd: realDisk.real(cwd) ?? cwd, programs: [process.execPath] };
  const bwrap = findExecutable('bwrap', env.PATH) ?? 'bwrap';
  const trial = await tryInside(bwrap, room, { control, token: bridgeTokenFile(stateDir), pid });
  const again = 'Run `synthesis doctor` again; if it stays so, report it.';
  if ('words' in trial) return [warning(name, trial.words, again)];
  const { worked, tried: count, writes } = trial;
  if (worked.length > 0)
    return [failed(name, `A contained program ${worked.join(', and ')} all the same.`, again)];
  const letIn = prices(access.lets);
  return [
    writes
      ? ok(name, `Tried from inside: ${count} ways out are closed, and the work folder can be written to.`)
      : warning(name, `The work folder ${cwd} cannot be written to from inside.`, 'Look whose it is.'),
    ...(letIn.length > 0
      ? [warning(name, `\`containLet\` lets in ${letIn.join(' ')}`, 'Take out of it what is not needed.')]
      : []),
  ];
}

/** Of a bridge that may run; without one this process stands for it. */
function bridgeIn(stateDir: string): { control?: string; pid: number } {
  try {
    const { control, pid } = JSON.parse(readPrivate(join(stateDir, 'bridge.json')) ?? '');
    return { control: String(control), pid: Number(pid) };
  } catch {
    return { pid: process.pid };
  }
}
