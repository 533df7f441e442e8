// Asks once what a bridge has to know of its operator, and writes it down.
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { PermissionMode } from '../../protocol/events.ts';
import { CliError } from '../cli-error.ts';
import { checkedConfig } from '../config.ts';
import { type ConfigLayer, readConfigFile, valueAt, withValue, writeConfigFile } from '../config-file.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';
import { configFile } from '../paths.ts';

export interface InitOptions {
  cwd?: string;
  permissionMode?: string;
  /** Consent to the development channel; undefined: ask, or keep what is written. */
  channel?: boolean;
  yes: boolean;
}

interface Answers {
  cwd: string;
  permissionMode: string;
  channel: boolean;
}

export async function init(options: InitOptions): Promise<number> {
  const path = configFile(process.env);
  const before = readConfigFile(path);
  const known = knownAnswers(before, options);
  if (!options.yes && !(process.stdin.isTTY && process.stderr.isTTY)) throw cannotAsk();
  const answers = options.yes ? known : await asked(known, options);
  refuseNoFolder(answers.cwd);
  const layer = layerOf(before, answers);
  checkedConfig(layer, `This would not be a valid configuration (${path})`, 'Nothing was changed.');
  writeConfigFile(path, layer);
  say(`Written to ${path}.`);
  say('Next: `synthesis doctor` checks the rest, `synthesis up` starts the bridge.');
  return exitCodes.ok;
}

/** Flags, then what is written already, then the defaults. Without a word from the operator there is no consent. */
function knownAnswers(before: ConfigLayer, { cwd, permissionMode, channel }: InitOptions): Answers {
  const textAt = (key: string) => {
    const value = valueAt(before, key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    cwd: resolve(cwd ?? textAt('cwd') ?? process.cwd()),
    permissionMode: permissionMode ?? textAt('permissionMode') ?? 'manual',
    channel: channel ?? valueAt(before, 'channels.development') === true,
  };
}

async function asked(known: Answers, given: InitOptions): Promise<Answers> {
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  dialog.on('close', () => left.abort());
  try {
    const question = new Questions(dialog, left.signal);
    const cwd = given.cwd ?? (await question.text('Folder in which Claude works', known.cwd));
    const permissionMode =
      given.permissionMode ??
      (await question.choice('Permission mode', PermissionMode.options, known.permissionMode));
    if (given.channel === undefined) for (const line of aboutTheChannel) say(line);
    const channel = given.channel ?? (await question.yesNo('Use the channel', known.channel));
    return { cwd: resolve(cwd), permissionMode, channel };
  } finally {
    dialog.close();
  }
}

const aboutTheChannel = [
  '',
  'Messages reach Claude Code in one of two ways. Typed into its terminal: needs nothing. Or through its channel, a',
  'research preview: then Claude Code is started with --dangerously-load-development-channels, and the bridge confirms',
  'the one dialog about that at each start. Any other dialog is left to you.',
];

class Questions {
  readonly #dialog: Interface;
  readonly #signal: AbortSignal;

  constructor(dialog: Interface, signal: AbortSignal) {
    this.#dialog = dialog;
    this.#signal = signal;
  }

  async text(words: string, known: string): Promise<string> {
    try {
      const answer = await this.#dialog.question(`${words} [${known}]: `, { signal: this.#signal });
      return answer.trim() || known;
    } catch {
      throw new CliError('failure', 'cancelled', 'Not finished.', 'Nothing was changed.');
    }
  }

  async choice(words: string, choices: readonly string[], known: string): Promise<string> {
    for (;;) {
      const answer = await this.text(`${words} (${choices.join(', ')})`, known);
      if (choices.includes(answer)) return answer;
      say(`"${answer}" is none of them.`);
    }
  }

  async yesNo(words: string, known: boolean): Promise<boolean> {
    for (;;) {
      const answer = (await this.text(`${words}? (yes, no)`, known ? 'yes' : 'no')).toLowerCase();
      if (['y', 'yes'].includes(answer)) return true;
      if (['n', 'no'].includes(answer)) return false;
      say('Answer yes or no.');
    }
  }
}

function layerOf(before: ConfigLayer, { cwd, permissionMode, channel }: Answers): ConfigLayer {
  const settings: [string, unknown][] = [
    ['cwd', cwd],
    ['permissionMode', permissionMode],
    ['channels.development', channel],
  ];
  return settings.reduce((layer, [key, value]) => withValue(layer, key, value), before);
}

function refuseNoFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  throw new CliError('usage', 'no_folder', `${path} is not a folder.`, 'Make it first; nothing was changed.');
}

const cannotAsk = () =>
  new CliError(
    'usage',
    'no_terminal',
    '`synthesis init` asks questions, and there is no terminal to ask them in.',
    'Add --yes to take flags and defaults; consent to the channel takes --channel.',
  );
