// Apart from paths.ts: node:crypto takes 4 ms to load, and only `up` needs it.
import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { socketPathFor } from '../base/net/socket-place.ts';

type Env = Record<string, string | undefined>;

/**
 * Where the bridge of `state` listens for operators: in `$XDG_RUNTIME_DIR` or the state directory, in the temporary
 * directory when that path would be too long for a socket; a named pipe on Windows.
 */
export function controlPath(state: string, env: Env): string {
  const id = hashId(state, 12);
  const runtime = env.SYNTHESIS_HOME ? undefined : env.XDG_RUNTIME_DIR;
  return socketPathFor(runtime ? join(runtime, 'synthesis', `${id}.sock`) : join(state, 'control.sock'), id);
}
