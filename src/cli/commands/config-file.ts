// config get | set | unset | path
import type { Config } from '../../protocol/config.ts';
import { CliError } from '../cli-error.ts';
import { checkedConfig, readConfig } from '../config.ts';
import { readConfigFile, valueAt, withValue, writeConfigFile } from '../config-file.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { configFile } from '../paths.ts';

export function configPath(): number {
  print(configFile(process.env));
  return exitCodes.ok;
}

/** Prints what holds: file and environment over the defaults. */
export function configGet(key: string | undefined): number {
  const config = withoutSecrets(readConfig(configFile(process.env), process.env, {}));
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

/** Writes the file only when the result is valid as a whole. */
export function configSet(key: string, text: string | undefined): number {
  const path = configFile(process.env);
  const value = text === undefined ? undefined : parsedValue(text);
  if (text?.includes(hidden)) throw notShown();
  const layer = withValue(readConfigFile(path), key, value);
  checkedConfig(layer, `This would not be a valid configuration (${path})`, 'Nothing was changed.');
  writeConfigFile(path, layer);
  say(`Written to ${path}. It holds from the next \`synthesis up\` on.`);
  return exitCodes.ok;
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
