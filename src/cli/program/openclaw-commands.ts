import { type Command, Option } from 'commander';
import { exitWith, port, stateOf, withExamples, withJson, withState } from './parts.ts';

const load = () => import('../commands/openclaw.ts');

export const openclawOption = (): Option =>
  new Option('--openclaw <cmd>', 'the OpenClaw executable').default('openclaw');

const withBasics = (command: Command): Command => withJson(withState(command)).addOption(openclawOption());

const withDryRun = (command: Command): Command =>
  command.option('--dry-run', 'show the change and make none', false);

export function addOpenClawCommands(root: Command): void {
  const parent = root
    .command('openclaw')
    .description("make this bridge a model of OpenClaw, through OpenClaw's own command");
  addInstall(parent);
  withDryRun(withBasics(parent.command('uninstall')))
    .description('take it out again and put back what was there before')
    .action((options) =>
      exitWith(load().then((m) => m.openclawUninstall({ ...options, state: stateOf(options) }))),
    );
  withBasics(parent.command('status'))
    .description('what OpenClaw and this bridge know of each other; exit code 7 when something does not fit')
    .action((options) =>
      exitWith(load().then((m) => m.openclawStatus({ ...options, state: stateOf(options) }))),
    );
}

function addInstall(parent: Command): void {
  withExamples(
    withDryRun(withBasics(parent.command('install')))
      .description("register the bridge in OpenClaw's configuration")
      .option('--port <n>', 'port of the bridge (default: of the running one, else the configured)', port)
      .option('--default-model', 'make it the default model (default: only when OpenClaw has none)')
      .option('--no-default-model', 'leave the default model alone')
      .option('--with-plugin', 'install the plugin that names conversations and senders, too', false)
      .option('--with-vault', 'make the vault an MCP server of OpenClaw, for other models, too', false),
    [
      ['synthesis openclaw install --dry-run', 'look first'],
      ['synthesis openclaw install --default-model', 'every agent without a model of its own uses Claude'],
    ],
  ).action((options) =>
    exitWith(load().then((m) => m.openclawInstall({ ...options, state: stateOf(options) }))),
  );
}
