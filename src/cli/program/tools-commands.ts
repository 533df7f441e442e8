// tools: the providers whose tools Claude gets.
import type { Command } from 'commander';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const toolsCommands: CommandTable = { tools: addTools };

const withBasics = (command: Command): Command => withJson(withState(command));

function addTools(root: Command): void {
  const parent = root
    .command('tools')
    .description('MCP servers whose tools Claude gets, and how they are')
    .helpCommand(false);
  withExamples(parent, [
    ['synthesis tools list', 'how each is'],
    ['synthesis tools inspect notes', 'its tools, what is refused, what it printed last'],
    ['synthesis tools call notes find \'{"text":"rent"}\'', 'tries one'],
  ]);
  addList(parent);
  addHealth(parent);
  addInspect(parent);
  addCall(parent);
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
