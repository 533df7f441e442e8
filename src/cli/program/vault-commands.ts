// vault: a folder of notes that can be searched, by people here and by Claude.
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type CommandTable,
  collect,
  count,
  exitWith,
  stateOf,
  withExamples,
  withJson,
  withState,
} from './parts.ts';

export const vaultCommands: CommandTable = { vault: addVault };

const withBasics = (command: Command): Command =>
  withState(command).option('--profile <match>', 'the vault of this profile of the configuration');

function addVault(root: Command): void {
  const parent = root
    .command('vault')
    .description('your notes: choose their folder, index and search it, serve it to any MCP client')
    .helpCommand(false);
  withExamples(parent, [
    ['synthesis vault init ~/notes', 'Claude can search them, and add to them'],
    ['synthesis vault search garden fence', 'what Claude would find'],
    ['synthesis vault doctor', 'is all well with it?'],
  ]);
  addInit(parent);
  addIndex(parent);
  addSearch(parent);
  addStatus(parent);
  addDoctor(parent);
  addServe(parent);
}

function addInit(parent: Command): void {
  const command = withJson(withBasics(parent.command('init')))
    .description('write the folder of your notes to the configuration, and index it')
    .argument('<folder>', 'with Markdown files in it, such as a vault of Obsidian')
    .option('--include <pattern>', 'which files are notes; repeatable (default: **/*.md)', collect, [])
    .option('--exclude <pattern>', 'which of them are left alone, e.g. Private; repeatable', collect, [])
    .option('--memories <folder>', 'folder in it that Claude writes to (default: Memories)')
    .addOption(
      new Option('--embeddings <kind>', 'find notes by their meaning, too').choices([
        'none',
        'ollama',
        'builtin',
      ]),
    )
    .option('--model <name>', 'of Ollama, for embeddings (default: nomic-embed-text)')
    .option('--ollama <url>', 'where it answers (default: http://127.0.0.1:11434)')
    .addOption(
      new Option('--engine <name>', 'what keeps the vectors (default: sqlite)').choices([
        'sqlite',
        'lancedb',
      ]),
    )
    .option('--replace', 'instead of the vault that is configured', false)
    .option('--no-index', 'leave the index for later');
  withExamples(command, [
    ['synthesis vault init ~/notes', 'again is fine: it is brought up to date'],
    ["synthesis vault init ~/notes --exclude Private --exclude 'Journal/2019*'", 'not read, not shown'],
    ['synthesis vault init ~/notes --model nomic-embed-text', 'meaning as well as words, by Ollama'],
    ['synthesis vault init ~/notes --embeddings builtin', 'the same without a server, in English'],
    ['synthesis vault init ~/work --replace', 'another folder'],
  ]).action((folder, options) =>
    exitWith(
      import('../commands/vault/init.ts').then(({ vaultInit }) =>
        vaultInit({ ...options, folder, state: stateOf(options) }),
      ),
    ),
  );
}

function addIndex(parent: Command): void {
  const command = withJson(withBasics(parent.command('index')))
    .description('bring the index up to date; what was indexed is kept when it is left')
    .option('--rebuild', 'make it anew; the old one answers meanwhile', false);
  withExamples(command, [
    ['synthesis vault index', 'reads what is new, and mends an index that is damaged'],
    ['synthesis vault index --json | jq .data.skipped', 'what was left aside, and why'],
  ]).action((options) =>
    exitWith(
      import('../commands/vault/index.ts').then(({ vaultIndex }) =>
        vaultIndex({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addSearch(parent: Command): void {
  const command = withJson(withBasics(parent.command('search')))
    .description('search the notes by their words, and by their meaning where that is configured')
    .argument('<words...>', 'that stand in the notes; "in quotes" for a phrase')
    .option('-n, --limit <count>', 'most results', atMostHundred, 8)
    .option('--folder <folder>', 'only notes in this folder of the vault')
    .option('--tag <tag>', 'only notes with this tag, or one below it');
  withExamples(command, [
    ['synthesis vault search garden fence', 'the best first, each with its file and line'],
    ['synthesis vault search \'"garden fence"\' -n 3', 'as a phrase'],
    ['synthesis vault search rent --folder House --tag money', 'in a part of the notes'],
    ['synthesis vault search rent --json | jq -r .data.results[].file', 'for scripts'],
  ]).action((words: string[], options) =>
    exitWith(
      import('../commands/vault/search.ts').then(({ vaultSearch }) =>
        vaultSearch({ ...options, query: words.join(' '), state: stateOf(options) }),
      ),
    ),
  );
}

function atMostHundred(text: string): number {
  const value = count(text);
  if (value < 1 || value > 100) throw new InvalidArgumentError('Expected a number from 1 to 100.');
  return value;
}

function addStatus(parent: Command): void {
  const command = withJson(withBasics(parent.command('status'))).description(
    'show the vault and its index, and what was left aside',
  );
  withExamples(command, [['synthesis vault status', 'how many notes, how new, who has it']]).action(
    (options) =>
      exitWith(
        import('../commands/vault/status.ts').then(({ vaultStatus }) =>
          vaultStatus({ ...options, state: stateOf(options) }),
        ),
      ),
  );
}

function addDoctor(parent: Command): void {
  const command = withJson(withBasics(parent.command('doctor'))).description(
    'check the folder, the index, the disk and the bridge; every finding has a suggestion',
  );
  withExamples(command, [
    ['synthesis vault doctor', 'mends nothing; exit code 7 when something is wrong'],
  ]).action((options) =>
    exitWith(
      import('../commands/vault/doctor.ts').then(({ vaultDoctor }) =>
        vaultDoctor({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addServe(parent: Command): void {
  const command = withBasics(parent.command('serve')).description(
    'be an MCP server for the notes, on standard input and output',
  );
  withExamples(command, [
    ['claude mcp add notes -- synthesis vault serve', 'for a client without the bridge'],
  ]).action((options) =>
    exitWith(
      import('../commands/vault/serve.ts').then(({ vaultServe }) =>
        vaultServe({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}
