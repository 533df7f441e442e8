// Apart from socket-path.ts: node:crypto takes 4 ms to load, which short commands do without.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashId } from '../digest.ts';

/** Longest local socket path that every supported system takes (macOS: 104 bytes with the closing NUL). */
const longestSocketPath = 103;

/**
 * Where to listen when `path` is wanted: there, in the temporary directory when it would be too long for a socket, and on
 * a named pipe on Windows.
 * @param name of the socket where it cannot be at `path`
 */
export function socketPathFor(path: string, name = hashId(path, 12)): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\synthesis-${name}`;
  if (Buffer.byteLength(path) <= longestSocketPath) return path;
  return join(tmpdir(), `synthesis-${process.getuid?.() ?? 0}`, `${name}.sock`);
}
