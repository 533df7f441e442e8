// What is said of a changed configuration before it is written: the same judgement as that of `up` and `doctor`.
import { resolve } from 'node:path';
import type { Config } from '../../../protocol/settings/config.ts';
import { CliError } from '../../cli-error.ts';
import { checkedConfig } from '../../config/config.ts';
import { type ConfigLayer, writeConfigFile } from '../../config/config-file.ts';
import { stateDir } from '../../paths.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Writes what is valid as a whole, and can work as far as that can be told now.
 * @param before what is written
 * @returns what it comes to, and what is to be said of it
 * @throws CliError and writes nothing
 */
export async function writeJudged(
  path: string,
  before: ConfigLayer,
  layer: ConfigLayer,
  env: Env,
): Promise<{ config: Config; doubts: string[] }> {
  const title = `This would not be a valid configuration (${path})`;
  const config = checkedConfig(layer, title, 'Nothing was changed.');
  const doubts = await doubtsAbout(before, config, path, env);
  writeConfigFile(path, layer);
  return { config, doubts };
}

/**
 * What is worse than before: a trouble that was there already is no reason to refuse another change.
 * @param before what is written; nothing to compare with when it is not valid
 * @param path of the file
 * @returns a sentence or two for all that may come to be well by itself, or works less well than it should
 * @throws CliError `bad_setting` for what cannot work like this
 */
async function doubtsAbout(before: ConfigLayer, after: Config, path: string, env: Env): Promise<string[]> {
  const { judge } = await import('../../../bridge/setup/judge.ts');
  const around = { stateDir: stateDir(undefined, env), configFile: path, env };
  const old = validOrNone(before);
  const [known, found] = await Promise.all([old ? judge(old, around) : [], judge(after, around)]);
  const fresh = found.filter(({ message }) => !known.some((each) => each.message === message));
  const refusal = fresh.find(({ status, later }) => status === 'failed' && !later);
  if (refusal) {
    const { message, suggestion } = refusal;
    throw new CliError('usage', 'bad_setting', `${message} Nothing was changed.`, suggestion ?? '');
  }
  return fresh.map(({ message, suggestion }) => `${message} ${suggestion ?? ''}`.trim());
}

/** A folder is meant as it is seen from here, and kept as such: the bridge may be started elsewhere. */
export const wholePath = (key: string, value: unknown): unknown =>
  key === 'cwd' && typeof value === 'string' && !value.startsWith('~') ? resolve(value) : value;

function validOrNone(layer: ConfigLayer): Config | undefined {
  try {
    return checkedConfig(layer, '', '');
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}
