import { Argument, type Command } from 'commander';
import { print } from '../output/out.ts';
import { version } from '../version.ts';
import { addOpenClawCommands, openclawOption } from './openclaw-commands.ts';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const otherCommands: CommandTable = {
  openclaw: addOpenClawCommands,
  doctor: addDoctor,
  explain: addExplain,
  docs: addDocs,
  demo: addDemo,
  version: addVersion,
  help: addHelp,
  completion: addCompletion,
  channel: addChannel,
  complete: addComplete,
};

function addDoctor(root: Command): void {
  withExamples(
    withJson(withState(root.command('doctor')))
      .description('check Claude Code, the bridge and this machine; every finding has a suggestion')
      .option('--claude <cmd>', 'the Claude Code executable')
      .option('--fix', 'first set right what is safe, and say what was done', false)
      .addOption(openclawOption()),
    [
      ['synthesis doctor', 'changes nothing; exit code 7 when something is wrong'],
      ['synthesis doctor --fix', 'closes the state folder to others, clears away what killed processes left'],
    ],
  ).action((options) =>
    exitWith(
      import('../commands/doctor/doctor.ts').then(({ doctor }) =>
        doctor({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addExplain(root: Command): void {
  withExamples(
    withJson(root.command('explain'))
      .description('say what a failure of a tool means, and what to do; without a code: list all')
      .argument('[failure]', 'a code, in capitals or not'),
    [['synthesis explain TIMEOUT', 'no bridge is needed']],
  ).action((failure, options) =>
    exitWith(import('../commands/explain.ts').then(({ explain }) => explain(failure, options))),
  );
}

function addDocs(root: Command): void {
  withExamples(
    withJson(root.command('docs'))
      .description('read the documentation of this release; without a page: list all')
      .argument('[page]', 'by its name'),
    [
      ['synthesis docs troubleshooting', 'with $PAGER; into a pipe as Markdown'],
      ['synthesis docs config | grep -i limit', 'all about one word'],
    ],
  ).action((page, options) =>
    exitWith(import('../commands/docs.ts').then(({ docs }) => docs(page, options))),
  );
}

function addDemo(root: Command): void {
  withExamples(
    root
      .command('demo')
      .description('show the whole loop with a simulated Claude: no sign-in, no network')
      .option('--attach', 'the screen of `synthesis attach` over a simulated afternoon', false),
    [
      ['synthesis demo', 'one conversation, line by line'],
      ['synthesis demo --attach', 'several at once: p answers what waits, q leaves'],
    ],
  ).action(({ attach }) =>
    exitWith(
      attach
        ? import('../commands/demo-attach.ts').then(({ demoAttach }) => demoAttach())
        : import('../../demo/walkthrough.ts').then(({ walkthrough }) => walkthrough()),
    ),
  );
}

function addVersion(root: Command): void {
  root
    .command('version')
    .description('print the version')
    .action(() => print(version));
}

/** Knows of the other commands what the whole program does, so it is never added alone. */
function addHelp(root: Command): void {
  root
    .command('help')
    .description('show what a command takes, as its --help does')
    .argument('[command...]', 'such as `tools add`')
    .action((words: string[]) => {
      let command = root;
      for (const word of words) {
        const inner = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
        // Commander's own words for it, with the nearest name.
        if (!inner) return void command.parse([word], { from: 'user' });
        command = inner;
      }
      command.outputHelp();
    });
}

function addChannel(root: Command): void {
  root
    .command('channel', { hidden: true })
    .description('the MCP server that Claude Code starts')
    .action(() => import('../../channel/main.ts').then(({ main }) => main()));
}

const loadCompletion = () => import('../commands/completion.ts');

function addCompletion(root: Command): void {
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
  ).action((shell) =>
    exitWith(loadCompletion().then(({ completionScript }) => completionScript(shell, root.name()))),
  );
}

/** Knows of the other commands what the whole program does, so it is never added alone. */
function addComplete(root: Command): void {
  withState(root.command('complete', { hidden: true }))
    .description('what the completion scripts ask for')
    .argument('[words...]')
    .action((words, options) =>
      exitWith(loadCompletion().then(({ complete }) => complete(words, root, stateOf(options)))),
    );
}
