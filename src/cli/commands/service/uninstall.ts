import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { stateDir } from '../../paths.ts';
import { kindFor } from './kind.ts';
import { installedUnit } from './unit-file.ts';

/** Data stays, and so do Claude Codes: `down` ends these. */
export async function serviceUninstall(platform: NodeJS.Platform): Promise<number> {
  const kind = kindFor(platform);
  const there = installedUnit(kind);
  if (!there) {
    say('The service is not installed; nothing was changed.');
    return exitCodes.ok;
  }
  if (!there.settings)
    throw new CliError(
      'failure',
      'foreign_unit',
      `${kind.file()} was not made by synthesis; nothing was changed.`,
      `\`${kind.stopCommand}\` stops it.`,
    );
  const manager = await kind.manager(process.env);
  await manager.stop();
  rmSync(kind.file(), { force: true });
  await manager.forget();
  const { stateDir: state } = there.settings;
  const flag = state === stateDir(undefined, { HOME: homedir() }) ? '' : ` --state-dir '${state}'`;
  say('The service is stopped and taken out.');
  say(`Conversations are kept in ${state}. Claude Codes that run go on for the next bridge.`);
  say(`\`synthesis up${flag}\` goes on with them; \`synthesis down${flag}\` ends them.`);
  return exitCodes.ok;
}
