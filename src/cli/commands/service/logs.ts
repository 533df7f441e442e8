// What the manager has of the service: its starts and ends, and what the bridge said when it would not start.
import { join } from 'node:path';
import { execa } from 'execa';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, say } from '../../output/out.ts';
import { Systemctl } from './systemctl.ts';
import { unitName } from './unit.ts';
import { installedUnit } from './unit-file.ts';

export interface LogsOptions {
  follow: boolean;
  lines: number;
}

export async function serviceLogs({ follow, lines }: LogsOptions): Promise<number> {
  const { manager } = new Systemctl(process.env);
  const state = installedUnit()?.settings?.stateDir;
  if (state !== undefined) say(`The bridge’s own log is ${join(state, 'bridge.log')}.`);
  const args = [
    '--user',
    `--unit=${unitName}`,
    `--lines=${lines}`,
    '--no-pager',
    ...(follow ? ['--follow'] : []),
  ];
  const child = execa('journalctl', args, {
    env: { XDG_RUNTIME_DIR: manager.runtimeDir },
    stdin: 'ignore',
    buffer: { stdout: false },
    reject: false,
    maxBuffer: 64 * 1024,
  });
  for await (const line of child.iterable()) print(line);
  const { failed, isTerminated, stderr, shortMessage } = await child;
  if (failed && !isTerminated)
    throw new CliError(
      'failure',
      'service_manager',
      `journalctl failed: ${stderr.trim() || shortMessage}`,
      'The journal of systemd may not be there; the bridge’s own log is.',
    );
  return exitCodes.ok;
}
