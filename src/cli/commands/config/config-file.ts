// config get | set | unset | path

import { isRunning } from '../../../base/process/process-identity.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import { CliError } from '../../cli-error.ts';
import { readBridgeFile } from '../../client/control-client.ts';
import { readConfig } from '../../config/config.ts';
import { type ConfigLayer, readConfigFile, valueAt, withValue } from '../../config/config-file.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile, stateDir } from '../../paths.ts';
import { wholePath, writeJudged } from './config-judgement.ts';

export function configPath(): number {
  print(configFile(process.env));
  return exitCodes.ok;
}

/** Prints what holds: file and environment over the defaults. */
export function configGet(key: string | undefined): number {
  const path = configFile(process.env);
  const config = asWritten(withoutSecrets(readConfig(path, process.env, {})), readConfigFile(path));
  if (key === undefined) {
    print(JSON.stringify(config, undefined, 2));
    return exitCodes.ok;
  }
  const value = valueAt(config, key);
  if (value === undefined) throw unknownKey(key);
  if (typeof value === 'string') print(value);
  else printJson(value);
  return exitCodes.ok;
}

/** Writes the file only when the result is valid as a whole, and can work as far as that can be told now. */
export async function configSet(key: string, text: string | undefined): Promise<number> {
  const path = configFile(process.env);
  const value = text === undefined ? undefined : wholePath(key, parsedValue(text));
  if (text?.includes(hidden)) throw notShown();
  const before = readConfigFile(path);
  const layer = withValue(before, key, value);
  if (JSON.stringify(secretIn(before)) !== JSON.stringify(secretIn(layer))) {
    const { proveOld } = await import('../secret/write.ts');
    await proveOld(stateDir(undefined, process.env), secretIn(layer));
  }
  const { config, doubts } = await writeJudged(path, before, layer, process.env);
  say(`Written to ${path}.`);
  for (const words of [...doubts, ...howItHolds(key, value, config, path)]) say(safeLine(words));
  return exitCodes.ok;
}

/** Whoever changes it proves the one that is there. */
const secretIn = (layer: ConfigLayer): unknown => valueAt(layer, 'operator.secret');

/** A bridge reads its configuration once, when it starts; what was begun with the old one is told how it gets the new. */
function howItHolds(key: string, value: unknown, config: Config, path: string): string[] {
  const now = valueAt(readConfig(path, process.env, {}), key);
  const isOverruled = value !== undefined && JSON.stringify(now) !== JSON.stringify(valueAt(config, key));
  const words = isOverruled
    ? [`A variable of this environment says ${JSON.stringify(now)} instead, and goes before the file.`]
    : [];
  if (!bridgeRuns()) return [...words, 'It holds from the next `synthesis up` on.'];
  words.push(
    'The bridge that runs has read the old one: `synthesis up -d --replace` takes its place, and Claude goes on.',
  );
  if (/^(?:cwd|permissionMode|sandbox|contain|profiles)(?:\.|$)/.test(key))
    words.push(
      'Conversations that are there keep their folder, and do not get a looser mode, sandbox or wall, until `synthesis restart <session>`.',
    );
  return words;
}

/** It is only looked for, not asked: nothing of it is used. */
function bridgeRuns(): boolean {
  try {
    const file = readBridgeFile(stateDir(undefined, process.env));
    return file !== undefined && isRunning(file.pid);
  } catch {
    return false;
  }
}

/** Stands for a value that nobody is shown. */
const hidden = '(not shown)';

/** What gateways and providers of tools are given to sign in with stays in the file. */
function withoutSecrets(config: Config): Config {
  const blank = (values: Record<string, string>) =>
    Object.fromEntries(Object.keys(values).map((name) => [name, hidden]));
  const providers = config.providers.map((each) => ({
    ...each,
    env: blank(each.env),
    headers: blank(each.headers),
  }));
  const agp = config.agp.map((each) => ({ ...each, ...(each.token !== undefined && { token: hidden }) }));
  return { ...config, agp, providers };
}

/** With spans of time in the words of the file: they alone are texts there, and numbers when they are read. */
function asWritten(value: unknown, written: unknown): unknown {
  if (typeof value === 'number') return typeof written === 'string' ? written : value;
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([key, each]) => [key, asWritten(each, valueAt(written, key))]);
  return Array.isArray(value) ? inner.map(([, each]) => each) : Object.fromEntries(inner);
}

/** Printed by `config get`, and not meant to be written back. */
const notShown = () =>
  new CliError(
    'usage',
    'bad_config',
    `The value holds "${hidden}", which stands for one that is not shown. Nothing was changed.`,
    'Write the value itself, or edit the file: `synthesis config path` says where it is.',
  );

/** JSON where it is JSON, otherwise the text itself: `true`, `18801` and `["4242"]` need no quotes, nor does a path. */
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const unknownKey = (key: string) =>
  new CliError(
    'usage',
    'unknown_key',
    `There is no value at "${key}".`,
    '`synthesis config get` prints all; `synthesis docs config` explains them.',
  );
