// up, down, init, config: the bridge itself.
import { type Command, Option } from 'commander';
import { down } from '../commands/down.ts';
import { panic } from '../commands/panic.ts';
import { resume } from '../commands/resume.ts';
import { runUp } from '../commands/up/run-up.ts';
import {
  type CommandTable,
  exitWith,
  port,
  stateOf,
  withBridge,
  withExamples,
  withJson,
  withState,
} from './parts.ts';

export const bridgeCommands: CommandTable = {
  up: addUp,
  down: addDown,
  panic: addPanic,
  resume: addResume,
  init: addInit,
  config: addConfig,
};

function addDown(root: Command): void {
  withExamples(
    withState(root.command('down'))
      .description('stop the running bridge')
      .addHelpText(
        'after',
        '\nRunning answers get 5 s to finish, then every Claude Code is ended. Conversations are kept.',
      )
      .option('--keep', 'let Claude Codes go on for the next `synthesis up`', false),
    [
      ['synthesis down', 'ends `synthesis up`, in whatever terminal or background it runs'],
      ['synthesis down --keep', 'the bridge alone; what Claude is at goes on meanwhile'],
    ],
  ).action((options) => exitWith(down({ ...options, state: stateOf(options) })));
}

function addPanic(root: Command): void {
  const command = withJson(withBridge(root.command('panic')))
    .description(
      'stop everything: deny every question, end every Claude and what it started, refuse new work',
    )
    .option('--reason <text>', 'why, for operators; chats and Claude are not told')
    .addHelpText(
      'after',
      '\nIt holds until `synthesis resume`, also through a restart of the bridge. Nothing accepted is lost:\nmessages that wait go on in order then. Without a running bridge it holds for the next start.',
    );
  withExamples(command, [
    ['synthesis panic', 'everything stops; answers within a second'],
    ['synthesis panic --reason "runaway loop"', '`synthesis ps` and the screen show why'],
  ]).action((options) => exitWith(panic({ ...options, state: stateOf(options) })));
}

function addResume(root: Command): void {
  withExamples(
    withJson(withBridge(root.command('resume')))
      .description('let work go on after `synthesis panic`')
      .option('-y, --yes', 'do not ask once more', false)
      .addHelpText(
        'after',
        '\nA person at a terminal does this. What Claude has started is refused, whatever it shows.',
      ),
    [
      ['synthesis resume', 'messages that waited are handed over, in order'],
      ['synthesis resume -y', 'the same at once'],
    ],
  ).action(({ yes, json, ...options }) => exitWith(resume({ yes, json, state: stateOf(options) })));
}

function addUp(root: Command): void {
  const command = withState(root.command('up'))
    .description('run the bridge; Claude Code is started on demand')
    .option('-d, --detach', 'run in the background; returns when the bridge is ready', false)
    .option('--port <n>', 'port on 127.0.0.1; 0 picks one (default: 18801)', port)
    .option('--claude <cmd>', 'the Claude Code executable (default: claude)')
    .option('--cwd <dir>', 'working directory of sessions (default: this one)')
    .option('--permission-mode <mode>', 'permission mode of sessions (default: manual)')
    .addOption(
      new Option('--delivery <road>', 'how text reaches Claude (default: auto)').choices([
        'auto',
        'channel',
        'terminal',
      ]),
    )
    .option('--replace', 'take over from the bridge that runs here; its Claude Codes go on', false)
    .addOption(
      new Option('--on-exit <what>', 'what becomes of Claude Codes at Ctrl-C or a signal').choices([
        'keep',
        'end',
      ]),
    )
    .option('-q, --quiet', 'print nothing after the start', false)
    .option('--json', 'print NDJSON; the first line says where the bridge is', false);
  withExamples(command, [
    ['synthesis up', 'runs here until Ctrl-C, with a table of the sessions'],
    ['synthesis up -d', 'runs in the background; `synthesis down` ends it'],
    ['synthesis up -d --replace', 'restarts it, for an update or other settings; Claude goes on'],
    ['synthesis up --cwd ~/work --port 0', 'other folder, any free port'],
    ['synthesis up --json | jq .event', 'for scripts: every event, one JSON object a line'],
  ]).action((options) => exitWith(runUp({ ...options, state: stateOf(options) })));
}

function addInit(root: Command): void {
  const command = root
    .command('init')
    .description('ask once for folder, permission mode and channel, and write the configuration')
    .option('--cwd <dir>', 'working directory of sessions (default: this one)')
    .option('--permission-mode <mode>', 'permission mode of sessions (default: manual)')
    .option('--channel', 'consent to the channel with its development flag')
    .option('--no-channel', 'type messages into the terminal; no channel')
    .option('-y, --yes', 'ask nothing: take flags, what is written already, and defaults', false);
  withExamples(command, [
    ['synthesis init', 'asks three questions'],
    ['synthesis init --yes --cwd ~/work', 'for scripts; without --channel there is no consent'],
  ]).action((options) => exitWith(import('../commands/config/init.ts').then(({ init }) => init(options))));
}

function addConfig(root: Command): void {
  const command = root
    .command('config')
    .description('show or change the configuration file')
    .helpCommand(false);
  withExamples(command, [
    ['synthesis config path', 'where the file is'],
    ['synthesis config get', 'everything that holds, defaults included'],
    ['synthesis config get timeouts.idleMs', 'one value'],
    ['synthesis config set cwd ~/work', 'text needs no quotes'],
    ['synthesis config set timeouts.idleMs 10m', 'or a number of milliseconds'],
    ['synthesis config set approvers \'["telegram:4242"]\'', 'lists are JSON'],
    ['synthesis config unset cwd', 'back to the default'],
  ]);
  const load = () => import('../commands/config/config-file.ts');
  command
    .command('get')
    .description('print what holds: file and environment over the defaults')
    .argument('[key]', 'e.g. timeouts.idleMs; all when left out')
    .action((key) => exitWith(load().then(({ configGet }) => configGet(key))));
  command
    .command('set')
    .description('change one value; refused when the whole would not be valid')
    .argument('<key>', 'e.g. timeouts.idleMs')
    .argument('<value>', 'JSON, or plain text')
    .action((key, value) => exitWith(load().then(({ configSet }) => configSet(key, value))));
  command
    .command('unset')
    .description('take one value out of the file')
    .argument('<key>', 'e.g. timeouts.idleMs')
    .action((key) => exitWith(load().then(({ configSet }) => configSet(key, undefined))));
  command
    .command('path')
    .description('print where the file is')
    .action(() => exitWith(load().then(({ configPath }) => configPath())));
}
