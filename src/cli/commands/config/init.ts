// Asks once what a bridge has to know of its operator, and writes it down.
import { resolve } from 'node:path';
import { PermissionMode } from '../../../protocol/settings/permission-mode.ts';
import { CliError } from '../../cli-error.ts';
import { askForConsent, consentKey } from '../../config/channel-consent.ts';
import { type ConfigLayer, readConfigFile, valueAt, withValue } from '../../config/config-file.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile } from '../../paths.ts';
import { canAsk, Questions } from '../../questions.ts';
import { writeJudged } from './config-judgement.ts';

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
  if (!options.yes && !canAsk()) throw cannotAsk();
  const answers = options.yes ? known : await asked(known, options);
  const layer = layerOf(before, answers);
  const { doubts } = await writeJudged(path, before, layer, process.env);
  say(`Written to ${path}.`);
  for (const words of doubts) say(safeLine(words));
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
    channel: channel ?? valueAt(before, consentKey) === true,
  };
}

async function asked(known: Answers, given: InitOptions): Promise<Answers> {
  using questions = new Questions('Nothing was changed.');
  const cwd = given.cwd ?? (await questions.text('Folder in which Claude works', known.cwd));
  const permissionMode =
    given.permissionMode ??
    (await questions.choice('Permission mode', PermissionMode.options, known.permissionMode));
  const channel = given.channel ?? (await askForConsent(questions, known.channel));
  return { cwd: resolve(cwd), permissionMode, channel };
}

function layerOf(before: ConfigLayer, { cwd, permissionMode, channel }: Answers): ConfigLayer {
  const settings: [string, unknown][] = [
    ['cwd', cwd],
    ['permissionMode', permissionMode],
    [consentKey, channel],
  ];
  return settings.reduce((layer, [key, value]) => withValue(layer, key, value), before);
}

const cannotAsk = () =>
  new CliError(
    'usage',
    'no_terminal',
    '`synthesis init` asks questions, and there is no terminal to ask them in.',
    'Add --yes to take flags and defaults; consent to the channel takes --channel.',
  );
