import { Argument, type Command } from 'commander';
import { version } from '../version.ts';
import { openclawOption } from './openclaw-commands.ts';
import { exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export function addOtherCommands(root: Command): void {
  withExamples(
    withJson(withState(root.command('doctor')))
      .description('check Claude Code, the bridge and this machine; every finding has a suggestion')
      .option('--claude <cmd>', 'the Claude Code executable')
      .addOption(openclawOption()),
    [['synthesis doctor', 'changes nothing; exit code 7 when something is wrong']],
  ).action((options) =>
    exitWith(
      import('../commands/doctor.ts').then(({ doctor }) => doctor({ ...options, state: stateOf(options) })),
    ),
  );
  root
    .command('demo')
    .description('show the whole loop with a simulated Claude: no sign-in, no network')
    .action(() => exitWith(import('../../demo/walkthrough.ts').then(({ walkthrough }) => walkthrough())));
  root
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${version}\n`));
  root
    .command('channel', { hidden: true })
    .description('the MCP server that Claude Code starts')
    .action(() => import('../../channel/main.ts').then(({ main }) => main()));
  addCompletion(root);
}

function addCompletion(root: Command): void {
  const load = () => import('../commands/completion.ts');
  withExamples(
    root
      .command('completion')
      .description('print the completion script of a shell')
      .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish'])),
    [
      ['source <(synthesis completion bash)', 'in ~/.bashrc'],
      ['source <(synthesis completion zsh)', 'in ~/.zshrc, after compinit'],
      ['synthesis completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
  ).action((shell) => exitWith(load().then(({ completionScript }) => completionScript(shell, root.name()))));
  withState(root.command('complete', { hidden: true }))
    .description('what the completion scripts ask for')
    .argument('[words...]')
    .action((words, options) =>
      exitWith(load().then(({ complete }) => complete(words, root, stateOf(options)))),
    );
}
