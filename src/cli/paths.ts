import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

type Env = Record<string, string | undefined>;

/** Longest local socket path that every supported system takes (macOS: 104 bytes with the closing NUL). */
const longestSocketPath = 103;

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

/**
 * Where the bridge of `state` listens for operators: in `$XDG_RUNTIME_DIR` or the state directory, in the temporary
 * directory when that path would be too long for a socket; a named pipe on Windows.
 */
export function controlPath(state: string, env: Env): string {
  const id = createHash('sha256').update(state).digest('hex').slice(0, 12);
  if (process.platform === 'win32') return `\\\\.\\pipe\\synthesis-${id}`;
  const runtime = env.SYNTHESIS_HOME ? undefined : env.XDG_RUNTIME_DIR;
  const path = runtime ? join(runtime, 'synthesis', `${id}.sock`) : join(state, 'control.sock');
  if (Buffer.byteLength(path) <= longestSocketPath) return path;
  return join(tmpdir(), `synthesis-${process.getuid?.() ?? 0}`, `${id}.sock`);
}
