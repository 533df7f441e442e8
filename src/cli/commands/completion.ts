// Shell completion: the scripts, and what they ask for at each Tab. Flags and commands come from the program itself,
// session names and codes from a running bridge.
import { RootCommand, ShellCompDirective } from '@bomb.sh/tab';
import type { Argument, Command, Option } from 'commander';
import { isPlainWord } from '../../base/text/plain-word.ts';
import type { ControlMethods } from '../../domain/views/control.ts';
import { toolFailures } from '../../protocol/events/tool-failures.ts';
import { callBridge } from '../client/control-client.ts';
import { type ConfigLayer, readConfigFile } from '../config/config-file.ts';
import { providerName } from '../config/provider-name.ts';
import { pages } from '../docs/pages.ts';
import { exitCodes } from '../exit-codes.ts';
import { bashCompletion } from '../output/completion/bash-completion.ts';
import { zshCompletion } from '../output/completion/zsh-completion.ts';
import { print, printPart } from '../output/out.ts';
import { fileFlags } from '../output/words/file-flags.ts';
import { configFile } from '../paths.ts';

/** Prints the script that a shell has to load. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', name: string): number {
  if (shell === 'fish') new RootCommand().setup(name, name, shell);
  else printPart(shell === 'bash' ? bashCompletion(name) : zshCompletion(name));
  return exitCodes.ok;
}

/** Tab must not make anybody wait, ms. */
const patience = 500;

type Choice = [value: string, description: string];

/** Answers one Tab: prints the choices for the last of `words`, one per line. */
export async function complete(words: readonly string[], root: Command, state: string): Promise<number> {
  if (fileFlags.includes(words.at(-2) ?? '')) {
    // Nothing of ours: the script of fish goes on with files then, as the others do without asking.
    print(`:${ShellCompDirective.ShellCompDirectiveDefault}`);
    return exitCodes.ok;
  }
  const place = words.indexOf('--state-dir');
  const where = (place >= 0 && words[place + 1]) || state;
  const { path, command } = called(words, root);
  const names = new Set([
    ...(command?.registeredArguments.map((argument) => argument.name()) ?? []),
    ...(command?.options.flatMap((option) => valueName(option) ?? []) ?? []),
  ]);
  const rest = words.slice(path.length);
  const choices: Record<string, Choice[]> = {
    session: names.has('session') ? await sessions(where) : [],
    code: names.has('code') ? await codes(where) : [],
    provider: names.has('provider') ? await providers(where) : [],
    token: names.has('token') ? await tokens(where) : [],
    tool: names.has('tool') ? await toolsOf(firstOf(rest), where) : [],
    page: names.has('page') ? pages().map(({ name, title }) => [name, safeWords(title)]) : [],
    failure: Object.entries(toolFailures).map(([code, row]) => [code, safeWords(row.meaning)]),
    command: names.has('command') ? commandsIn(rest.slice(0, -1), root) : [],
    key: names.has('key') ? await keys(command?.name()) : [],
    value: names.has('value') ? await valuesOf(firstOf(rest)) : [],
    mode: names.has('mode') ? await valuesOf('permissionMode') : [],
  };
  const completion = new RootCommand();
  for (const command of visibleCommands(root)) describe(completion, command, '', choices);
  completion.parse([...path, ...rest]);
  return exitCodes.ok;
}

/** The command that the words begin with, and the names of the way there: an alias is only known to the program. */
function called(words: readonly string[], root: Command): { path: string[]; command: Command | undefined } {
  const path: string[] = [];
  let command: Command | undefined;
  for (const word of words) {
    const inner: Command | undefined = (command ?? root).commands.find(
      (each) => each.name() === word || each.aliases().includes(word),
    );
    if (!inner) break;
    path.push(inner.name());
    command = inner;
  }
  return { path, command };
}

/** The first that is neither a flag nor the value of one. */
const firstOf = (words: readonly string[]): string | undefined =>
  words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--state-dir');

function describe(
  completion: RootCommand,
  command: Command,
  prefix: string,
  choices: Record<string, Choice[]>,
): void {
  const path = `${prefix}${command.name()}`;
  const described = completion.command(path, safeWords(command.description()));
  for (const option of command.createHelp().visibleOptions(command)) addOption(described, option, choices);
  for (const argument of command.registeredArguments) {
    const given = choicesOf(argument, argument.name(), choices);
    described.argument(argument.name(), offer(given), argument.variadic);
  }
  for (const inner of visibleCommands(command)) describe(completion, inner, `${path} `, choices);
}

const visibleCommands = (command: Command): Command[] =>
  command.createHelp().visibleCommands(command) as Command[];

function addOption(
  described: ReturnType<RootCommand['command']>,
  option: Option,
  choices: Record<string, Choice[]>,
): void {
  const long = option.long?.replace(/^--/, '');
  if (!long) return;
  const short = option.short?.replace(/^-/, '');
  const words = safeWords(option.description);
  if (!option.required && !option.optional) {
    described.option(long, words, short ?? '');
    return;
  }
  const given = choicesOf(option, valueName(option), choices);
  described.option(long, words, offer(given), short);
}

/** `session` of `--session <session>`. */
const valueName = (option: Option): string | undefined => /<(\w+)>/.exec(option.flags)?.[1];

const choicesOf = (
  { argChoices }: Argument | Option,
  name: string | undefined,
  choices: Record<string, Choice[]>,
): Choice[] => argChoices?.map((value): Choice => [value, '']) ?? choices[name ?? ''] ?? [];

const offer = (choices: readonly Choice[]) => (take: (value: string, description: string) => void) => {
  for (const [value, description] of choices) take(value, description);
};

async function sessions(state: string): Promise<Choice[]> {
  const rows = (await asked(state, 'session.list', {})) ?? [];
  return rows.flatMap(({ id, key, label, state: now }): Choice[] => [
    ...(label && isPlainWord(label) ? [[label, safeWords(key)] as Choice] : []),
    ...(isPlainWord(key) ? [[key, now] as Choice] : []),
    [id, safeWords(key)],
  ]);
}

async function codes(state: string): Promise<Choice[]> {
  const asks = (await asked(state, 'permission.list', {})) ?? [];
  return asks.map(({ code, tool, session }) => [code, safeWords(`${tool} in ${session}`)]);
}

async function tokens(state: string): Promise<Choice[]> {
  try {
    const { listTokens } = await import('../../bridge/tokens/manage-tokens.ts');
    return listTokens(state, Date.now()).map(({ id, name }) => [id, safeWords(name ?? '')]);
  } catch {
    return [];
  }
}

/** Those of the bridge, then those that only the configuration names. */
async function providers(state: string): Promise<Choice[]> {
  const views = (await asked(state, 'tools.list', {})) ?? [];
  const live = views.map(({ provider, status }): Choice => [provider, status]);
  const known = new Set(live.map(([name]) => name));
  const others = configured().flatMap((name): Choice[] => (known.has(name) ? [] : [[name, 'not running']]));
  return [...live, ...others].filter(([name]) => isPlainWord(name));
}

function configured(): string[] {
  const { providers: entries } = written();
  return Array.isArray(entries) ? entries.flatMap((entry: unknown) => providerName(entry) ?? []) : [];
}

/** As much of the file as can be read: it is not checked here, which takes too long for a Tab. */
function written(): ConfigLayer {
  try {
    return readConfigFile(configFile(process.env));
  } catch {
    return {};
  }
}

/** Of the configuration: what `get` can show, what `set` can change, what `unset` finds in the file. */
async function keys(verb: string | undefined): Promise<Choice[]> {
  const { configKeys } = await import('../config/config-keys.ts');
  return configKeys(written())
    .filter(({ isGroup, isWritten }) => (verb === 'unset' ? isWritten : verb === 'get' || !isGroup))
    .flatMap(({ key, description }) => (isPlainWord(key) ? [[key, safeWords(description)]] : []));
}

/** Of a key of the configuration, where they can be listed. */
async function valuesOf(key: string | undefined): Promise<Choice[]> {
  const { configKeys } = await import('../config/config-keys.ts');
  const values = configKeys(written()).find((each) => each.key === key)?.values ?? [];
  return values.map((value) => [value, '']);
}

/** Below the command that the words name, or all. */
function commandsIn(words: readonly string[], root: Command): Choice[] {
  const inner = visibleCommands(called(words, root).command ?? root);
  return inner.map((each) => [each.name(), safeWords(each.description())]);
}

async function toolsOf(provider: string | undefined, state: string): Promise<Choice[]> {
  if (!provider) return [];
  const detail = await asked(state, 'tools.inspect', { provider });
  const tools = detail?.tools.filter(({ tool }) => isPlainWord(tool)) ?? [];
  return tools.map(({ tool, description }) => [tool, safeWords(description)]);
}

/** Without a bridge there is nothing to offer, and nothing to say either. */
async function asked<M extends 'session.list' | 'permission.list' | 'tools.list' | 'tools.inspect'>(
  state: string,
  method: M,
  params: ControlMethods[M]['params'],
): Promise<ControlMethods[M]['result'] | undefined> {
  try {
    return await callBridge(state, method, params, { timeoutMs: patience });
  } catch {
    return undefined;
  }
}

/** Descriptions are split at tabs and lines, and some shells split them at colons. */
const safeWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} .,_@/()'-]/gu, ' ')
    .slice(0, 60)
    .trim();
