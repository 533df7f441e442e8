import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Env = Record<string, string | undefined>;

const under = (variable: string | undefined, fallback: string) => join(variable || fallback, 'synthesis');

/** `$SYNTHESIS_HOME/config.json`, else `$XDG_CONFIG_HOME/synthesis/config.json`. */
export function configFile(env: Env): string {
  const home = env.SYNTHESIS_HOME;
  return join(home || under(env.XDG_CONFIG_HOME, join(homedir(), '.config')), 'config.json');
}

/** `--state-dir`, else `$SYNTHESIS_HOME/state`, else `$XDG_STATE_HOME/synthesis`. Always absolute. */
export function stateDir(flag: string | undefined, env: Env): string {
  if (flag) return resolve(flag);
  const home = env.SYNTHESIS_HOME;
  return resolve(home ? join(home, 'state') : under(env.XDG_STATE_HOME, join(homedir(), '.local', 'state')));
}
