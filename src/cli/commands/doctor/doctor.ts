import { type Check, diagnosis } from '../../../domain/views/check.ts';
import { runningBridge } from '../../client/running-bridge.ts';
import { readConfig } from '../../config/config.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson } from '../../output/out.ts';
import { showCheck, showFixed } from '../../output/words/check-line.ts';
import { configFile } from '../../paths.ts';

export interface DoctorOptions {
  state: string;
  claude?: string;
  openclaw: string;
  /** Sets right what is safe, first. */
  fix: boolean;
  json: boolean;
}

/** Looks at everything side by side; for a person each finding appears as soon as those before it are there. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const { state, claude, openclaw, fix, json } = options;
  // Where this folder is gone, programs could not be asked: that is said once, instead of as five findings.
  process.cwd();
  const path = configFile(process.env);
  const fixed = fix ? await setRight(state, path) : undefined;
  if (!json) for (const each of fixed ?? []) showFixed(each);
  const config = readConfig(path, process.env, { claude });
  const bridge = await runningBridge(state);
  const { serviceChecks } = await import('../service/check.ts');
  const { examine } = await import('../../../bridge/doctor/examine.ts');
  const { running } = bridge;
  // Not where this command is run: there the next bridge would work, and one runs.
  const cwd = config.cwd ?? running?.cwd;
  const about = cwd === undefined ? config : { ...config, cwd };
  const looks = examine({
    config: about,
    configFile: path,
    stateDir: state,
    openclaw,
    env: process.env,
    running,
  });
  const found: Check[] = [];
  for (const look of [bridge.checks, serviceChecks(process.platform), ...looks]) {
    // What the running bridge says is true of the configuration as well, unless that was changed since.
    const checks = (await look).filter(({ message }) => !found.some((each) => each.message === message));
    found.push(...checks);
    if (!json) for (const check of checks) showCheck(check);
  }
  const result = diagnosis(found);
  if (json) printJson(fixed ? { ...result, fixed } : result);
  return result.status === 'healthy' ? exitCodes.ok : exitCodes.degraded;
}

async function setRight(stateDir: string, path: string) {
  const { running } = await runningBridge(stateDir);
  const [{ fixed }, { fixSettings }] = await Promise.all([
    import('../../../bridge/doctor/fix/fixes.ts'),
    import('./doctor-settings.ts'),
  ]);
  return [
    ...(await fixed({ stateDir, isRunning: running !== undefined })),
    ...fixSettings(path, process.env),
  ];
}
