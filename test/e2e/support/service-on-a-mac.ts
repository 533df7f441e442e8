// One command of `synthesis service`, as on a Mac. Arguments: the program that is installed, the command, its options.
import { CliError } from '../../../src/cli/cli-error.ts';
import { serviceInstall } from '../../../src/cli/commands/service/install.ts';
import { serviceLogs } from '../../../src/cli/commands/service/logs.ts';
import { serviceStatus } from '../../../src/cli/commands/service/status.ts';
import { serviceUninstall } from '../../../src/cli/commands/service/uninstall.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';

const [, , program = '', command = '', given = '{}'] = process.argv;
process.argv[1] = program;
const options = JSON.parse(given);
const commands: Record<string, () => Promise<number>> = {
  install: () => serviceInstall({ replace: false, dryRun: false, ...options }, 'darwin'),
  uninstall: () => serviceUninstall('darwin'),
  status: () => serviceStatus({ json: true, ...options }, 'darwin'),
  logs: () => serviceLogs({ follow: false, lines: 50, ...options }, 'darwin'),
};
try {
  process.exitCode = await commands[command]?.();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`${error.message}\n${error.suggestion}\n`);
  process.exitCode = exitCodes[error.exit];
}
