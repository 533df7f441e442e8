// tools: the providers whose tools Claude gets.
import type { Command } from 'commander';
import { type CommandTable, collect, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const toolsCommands: CommandTable = { tools: addTools };

const withBasics = (command: Command): Command => withJson(withState(command));

function addTools(root: Command): void {
  const parent = root
    .command('tools')
    .description('MCP servers whose tools Claude gets: add, look at, call and remove them')
    .helpCommand(false);
  withExamples(parent, [
    ['synthesis tools add notes -- notes-mcp --vault ~/notes', 'a program'],
    ['synthesis tools list', 'how each is'],
    ['synthesis tools inspect notes', 'its tools, what is refused, what it printed last'],
    ['synthesis tools call notes find \'{"text":"rent"}\'', 'tries one'],
  ]);
  addAdd(parent);
  addRemove(parent);
  addList(parent);
  addHealth(parent);
  addInspect(parent);
  addCall(parent);
}

function addAdd(parent: Command): void {
  const command = withBasics(parent.command('add'))
    .description('add a provider to the configuration; a running bridge takes it over at once')
    .argument('<name>', 'lower-case letters, digits and -; its tools are <name>_<tool> for Claude')
    .argument('[program...]', 'behind --: a program that speaks MCP over its standard input and output')
    .option('--url <url>', 'address of a server that speaks streamable HTTP')
    .option('--module <path>', 'a file that exports a server; it runs in the bridge')
    .option('--env <KEY=VALUE>', 'for the program; KEY alone takes your own value; repeatable', collect, [])
    .option('--header <header>', "'Name: value', sent to the URL; repeatable", collect, [])
    .option('--cwd <dir>', 'folder that the program is started in')
    .option(
      '--tool <pattern>',
      'only such tools; * stands for any text; repeatable (default: all)',
      collect,
      [],
    )
    .option(
      '--permission <permission>',
      'what its tools may do: read:<what>, write:<what>, net, exec; repeatable (default: exec)',
      collect,
      [],
    )
    .option('--timeout <time>', 'a call is given up after this long, e.g. 30, 90s, 10m (default: 60s)');
  withExamples(command, [
    ['synthesis tools add notes -- notes-mcp --vault ~/notes', 'a program and its arguments'],
    ['synthesis tools add web --env API_KEY -- npx -y web-mcp', 'API_KEY as it is in your shell'],
    ['synthesis tools add crm --url https://crm.example/mcp', 'a server somewhere else'],
    ['synthesis tools add notes --permission read:vault -- notes-mcp', 'may do no more than that'],
  ]).action((name, program, options) =>
    exitWith(
      import('../commands/tools/add.ts').then(({ toolsAdd }) =>
        toolsAdd({ ...options, name, program, state: stateOf(options) }),
      ),
    ),
  );
}

function addRemove(parent: Command): void {
  const command = withBasics(parent.command('remove').alias('rm'))
    .description('take a provider out of the configuration, and out of a running bridge')
    .argument('<provider>', 'its name');
  withExamples(command, [['synthesis tools remove notes', 'Claude has its tools no more']]).action(
    (provider, options) =>
      exitWith(
        import('../commands/tools/remove.ts').then(({ toolsRemove }) =>
          toolsRemove({ ...options, provider, state: stateOf(options) }),
        ),
      ),
  );
}

function addList(parent: Command): void {
  const command = withBasics(parent.command('list').alias('ls'))
    .description('list the providers, and how they are')
    .option('-q, --quiet', 'names only', false);
  withExamples(command, [
    ['synthesis tools list', 'without a bridge: those of the configuration'],
    ['synthesis tools list --json | jq -r .[].reason', 'why one is not healthy'],
  ]).action((options) =>
    exitWith(
      import('../commands/tools/list.ts').then(({ toolsList }) =>
        toolsList({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addHealth(parent: Command): void {
  const command = withBasics(parent.command('health'))
    .description('say how each provider is; exit code 7 when one is not healthy')
    .argument('[provider]', 'only this one');
  withExamples(command, [
    ['synthesis tools health', 'for monitors: exit code 0 when all are healthy'],
    ['synthesis tools health notes --json', 'one JSON object a line'],
  ]).action((provider, options) =>
    exitWith(
      import('../commands/tools/health.ts').then(({ toolsHealth }) =>
        toolsHealth({ ...options, ...(provider !== undefined && { provider }), state: stateOf(options) }),
      ),
    ),
  );
}

function addInspect(parent: Command): void {
  const command = withBasics(parent.command('inspect'))
    .description('show one provider: how it is, its tools, what is refused, what it printed last')
    .argument('<provider>', 'its name');
  withExamples(command, [
    ['synthesis tools inspect notes', 'why is it not healthy?'],
    ['synthesis tools inspect notes --json | jq .tools[].parameters', 'what its tools take'],
  ]).action((provider, options) =>
    exitWith(
      import('../commands/tools/inspect.ts').then(({ toolsInspect }) =>
        toolsInspect({ ...options, provider, state: stateOf(options) }),
      ),
    ),
  );
}

function addCall(parent: Command): void {
  const command = withBasics(parent.command('call'))
    .description('call a tool as Claude would, without asking the policy, and print its result')
    .argument('<provider>', 'its name')
    .argument('<tool>', 'as its provider calls it')
    .argument('[args]', 'its arguments as JSON; - reads them from standard input', '{}');
  withExamples(command, [
    ['synthesis tools call notes find \'{"text":"rent"}\'', 'prints what it gives back'],
    ['synthesis tools call notes find - < args.json', 'the arguments from standard input'],
    ['synthesis tools call notes find --json | jq .error', 'the whole envelope, on one line'],
  ]).action((provider, tool, args, options) =>
    exitWith(
      import('../commands/tools/call.ts').then(({ toolsCall }) =>
        toolsCall({ ...options, provider, tool, args, state: stateOf(options) }),
      ),
    ),
  );
}
