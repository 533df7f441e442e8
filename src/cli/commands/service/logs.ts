// What the manager has of the service: its starts and ends, and what the bridge said when it would not start.
import { join } from 'node:path';
import { execa } from 'execa';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, say } from '../../output/out.ts';
import { kindFor } from './kind.ts';
import { installedUnit } from './unit-file.ts';

export interface LogsOptions {
  follow: boolean;
  lines: number;
}

export async function serviceLogs(options: LogsOptions, platform: NodeJS.Platform): Promise<number> {
  const kind = kindFor(platform);
  const { command, args, env, suggestion } = (await kind.manager(process.env)).logs(options);
  const state = installedUnit(kind)?.settings?.stateDir;
  if (state !== undefined) say(`The bridge’s own log is ${join(state, 'bridge.log')}.`);
  const child = execa(command, args, {
    env,
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
      `${command} failed: ${stderr.trim() || shortMessage}`,
      suggestion,
    );
  return exitCodes.ok;
}
