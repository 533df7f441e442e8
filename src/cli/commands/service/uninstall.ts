import { homedir } from 'node:os';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { stateDir } from '../../paths.ts';
import { Systemctl } from './systemctl.ts';
import { unitName } from './unit.ts';
import { installedUnit, removeUnit, unitFile } from './unit-file.ts';

/** Data stays, and so do Claude Codes: `down` ends these. */
export async function serviceUninstall(): Promise<number> {
  const there = installedUnit();
  if (!there) {
    say('The service is not installed; nothing was changed.');
    return exitCodes.ok;
  }
  if (!there.settings)
    throw new CliError(
      'failure',
      'foreign_unit',
      `${unitFile()} was not made by synthesis; nothing was changed.`,
      `\`systemctl --user disable --now ${unitName}\` stops it.`,
    );
  const systemctl = new Systemctl(process.env);
  await systemctl.run('disable', '--now', unitName);
  removeUnit();
  await systemctl.run('daemon-reload');
  await systemctl.run('reset-failed', unitName).catch(() => {});
  const { stateDir: state } = there.settings;
  const flag = state === stateDir(undefined, { HOME: homedir() }) ? '' : ` --state-dir '${state}'`;
  say('The service is stopped and taken out.');
  say(`Conversations are kept in ${state}. Claude Codes that run go on for the next bridge.`);
  say(`\`synthesis up${flag}\` goes on with them; \`synthesis down${flag}\` ends them.`);
  return exitCodes.ok;
}
