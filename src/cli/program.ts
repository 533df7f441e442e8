// The command line: names, flags and help. What a command does is loaded when it is called.
import { Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { stateDir } from './paths.ts';
import { version } from './version.ts';

const stateOf = (options: { stateDir?: string }) => stateDir(options.stateDir, process.env);

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  return value;
}

/** The command's result is the exit code. */
async function exitWith(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

const withState = (command: Command) =>
  command.option('--state-dir <dir>', 'where the bridge keeps its state');
const withJson = (command: Command) => command.option('--json', 'print JSON', false);

export function program(): Command {
  const root = new Command('synthesis')
    .description('Gives every OpenClaw conversation its own long-lived, interactive Claude Code session.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError()
    .showHelpAfterError('Run `synthesis --help` to see the commands.')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(text) });
  addBridgeCommands(root);
  addSessionCommands(root);
  addPermissionCommands(root);
  addCheckCommands(root);
  for (const command of [root, ...root.commands]) command.exitOverride(leave);
  root.addHelpText('after', '\nStart with `synthesis demo`: the whole loop, without sign-in or network.');
  return root;
}

/** Help and version end well; every other complaint of the parser is a usage error it has already printed. */
function leave(error: CommanderError): never {
  process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  process.exit();
}

function addBridgeCommands(root: Command): void {
  withState(root.command('up'))
    .description('run the bridge; Claude Code is started on demand')
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
    .option('--json', 'print NDJSON; the first line says where the bridge is', false)
    .action((options) =>
      exitWith(import('./commands/up.ts').then(({ up }) => up({ ...options, state: stateOf(options) }))),
    );
  withState(root.command('down'))
    .description('stop the running bridge')
    .action((options) =>
      exitWith(import('./commands/down.ts').then(({ down }) => down({ state: stateOf(options) }))),
    );
}

function addSessionCommands(root: Command): void {
  withJson(withState(root.command('ps')))
    .description('list the sessions')
    .option('-q, --quiet', 'ids only', false)
    .option('--check', 'exit with 7 when a session is degraded', false)
    .action((options) =>
      exitWith(import('./commands/ps.ts').then(({ ps }) => ps({ ...options, state: stateOf(options) }))),
    );
  withJson(withState(root.command('send')))
    .description('send a message and show the answer as it is written')
    .argument('<session>', 'id, key, or a unique prefix of either')
    .argument('<text>', 'the message; - reads it from standard input')
    .option('--create', 'open the session when it does not exist', false)
    .option('--no-wait', 'return when the message is stored')
    .action((session, text, options) => exitWith(runSend(session, text, options)));
  const actions = [
    ['stop', 'session.stop', 'end the Claude Code of a session; its conversation is kept'],
    ['interrupt', 'session.interrupt', 'interrupt what Claude Code is doing'],
    ['rm', 'session.remove', 'forget a session'],
  ] as const;
  for (const [name, method, description] of actions) {
    withJson(withState(root.command(name)))
      .description(description)
      .argument('<session>', 'id, key, or a unique prefix of either')
      .action((session, options) =>
        exitWith(
          import('./commands/session-actions.ts').then(({ sessionAction }) =>
            sessionAction(method, { session, json: options.json, state: stateOf(options) }),
          ),
        ),
      );
  }
}

async function runSend(
  session: string,
  text: string,
  options: { create: boolean; wait: boolean; json: boolean; stateDir?: string },
): Promise<number> {
  const { send } = await import('./commands/send.ts');
  const message = text === '-' ? await readAll(process.stdin) : text;
  if (message.trim() === '') {
    throw new CliError(
      'usage',
      'empty_message',
      'The message is empty.',
      'Give it some text; nothing was sent.',
    );
  }
  return send({ ...options, state: stateOf(options), session, text: message });
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function addPermissionCommands(root: Command): void {
  withJson(withState(root.command('approvals')))
    .description('list the permission requests that wait')
    .action((options) =>
      exitWith(
        import('./commands/approvals.ts').then((m) =>
          m.approvals({ json: options.json, state: stateOf(options) }),
        ),
      ),
    );
  const decide =
    (verdict: 'allow' | 'deny') => (code: string, options: { stateDir?: string; json: boolean }) =>
      exitWith(
        import('./commands/approvals.ts').then((m) =>
          m.decide({ ...options, code, verdict, state: stateOf(options) }),
        ),
      );
  withJson(withState(root.command('approve')))
    .description('allow a permission request')
    .argument('<code>', 'the five letters of the request')
    .addOption(
      new Option('--scope <scope>', 'how long it holds').choices(['once', 'session']).default('once'),
    )
    .action(decide('allow'));
  withJson(withState(root.command('deny')))
    .description('deny a permission request')
    .argument('<code>', 'the five letters of the request')
    .option('--reason <text>', 'what Claude is told')
    .action(decide('deny'));
}

function addCheckCommands(root: Command): void {
  withJson(withState(root.command('doctor')))
    .description('check Claude Code, the bridge and this machine; every finding has a suggestion')
    .option('--claude <cmd>', 'the Claude Code executable')
    .action((options) =>
      exitWith(
        import('./commands/doctor.ts').then(({ doctor }) => doctor({ ...options, state: stateOf(options) })),
      ),
    );
  root
    .command('demo')
    .description('show the whole loop with a simulated Claude: no sign-in, no network')
    .action(() => exitWith(import('../demo/walkthrough.ts').then(({ walkthrough }) => walkthrough())));
  root
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version}\n`));
  root
    .command('channel', { hidden: true })
    .description('the MCP server that Claude Code starts')
    .action(() => import('../channel/main.ts').then(({ main }) => main()));
}
