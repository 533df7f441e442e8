// Apart from paths.ts: node:crypto takes 4 ms to load, and only `up` needs it.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Env = Record<string, string | undefined>;

/** Longest local socket path that every supported system takes (macOS: 104 bytes with the closing NUL). */
const longestSocketPath = 103;

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
