// service: the bridge, kept running by the system's manager.
import type { Command } from 'commander';
import { type CommandTable, count, exitWith, withExamples, withJson, withState } from './parts.ts';

export const serviceCommands: CommandTable = { service: addService };

function addService(root: Command): void {
  const command = root
    .command('service')
    .description(
      'run the bridge always, as a service of yours that systemd (on a Mac: launchd) starts again when it fails',
    )
    .helpCommand(false)
    .addHelpText('after', '\nOn a Mac the unit is an agent of launchd, which has not been run on a Mac yet.');
  withExamples(command, [
    ['synthesis service install', 'sets it up and starts it; again after an upgrade'],
    ['synthesis service status', 'does it run, and does its unit fit this release?'],
    ['synthesis service logs -f', 'its starts and ends; what happens in chats: synthesis logs'],
    ['synthesis service uninstall', 'stops it and takes it out; data stays'],
  ]);
  withState(command.command('install'))
    .description('write the unit, start it, and wait until the bridge answers; again: bring it up to date')
    .option('--cwd <dir>', 'working directory of sessions (default: as before, else this one)')
    .option('--replace', 'take over from a bridge that runs here; its Claude Codes go on', false)
    .option('--dry-run', 'print the unit, and change nothing', false)
    .action((options) =>
      exitWith(
        import('../commands/service/install.ts').then(({ serviceInstall }) =>
          serviceInstall(options, process.platform),
        ),
      ),
    );
  command
    .command('uninstall')
    .description('stop it and remove the unit; conversations stay, Claude Codes go on')
    .action(() =>
      exitWith(
        import('../commands/service/uninstall.ts').then(({ serviceUninstall }) =>
          serviceUninstall(process.platform),
        ),
      ),
    );
  withJson(command.command('status'))
    .description(
      'exit code 0 when it runs, 6 when not, 4 when it is not installed, 7 when its unit does not fit',
    )
    .action((options) =>
      exitWith(
        import('../commands/service/status.ts').then(({ serviceStatus }) =>
          serviceStatus(options, process.platform),
        ),
      ),
    );
  command
    .command('logs')
    .description('what the service says at its starts and ends, and why a start failed')
    .option('-f, --follow', 'go on', false)
    .option('-n, --lines <n>', 'how many of the last ones', count, 50)
    .action((options) =>
      exitWith(
        import('../commands/service/logs.ts').then(({ serviceLogs }) =>
          serviceLogs(options, process.platform),
        ),
      ),
    );
}
