import { accessSync, constants, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import type { IPty } from '@lydell/node-pty';
import { repairSpawnHelper } from '../../base/process/spawn-helper.ts';

export interface PtySpec {
  /** Program and arguments. Of a program without its path a PTY cannot tell "not found" from exit code 1. */
  argv: readonly [string, ...string[]];
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  cwd: string;
  cols: number;
  rows: number;
}

/** Loaded with the first program: what is wrong with it can be told to an owner then. */
const load = createRequire(import.meta.url);
const name = '@lydell/node-pty';

/** Loads it before. What is wrong with it is told with the first program all the same. */
export function loadPty(): void {
  try {
    load(name);
  } catch {
    // As above.
  }
}

/**
 * Starts a program on a pseudoterminal of its own. Its output comes as bytes, all of it before its exit.
 * @throws when it cannot be (no such program or folder, out of ptys)
 */
export function spawnPty(spec: PtySpec): IPty {
  // Of these a child of node-pty says nothing: it exits with 1, as any program may.
  accessSync(spec.cwd, constants.X_OK);
  if (isAbsolute(spec.argv[0])) accessSync(spec.argv[0], constants.X_OK);
  repairSpawnHelper(import.meta.url);
  const { spawn } = load(name) as typeof import('@lydell/node-pty');
  const [file, ...args] = spec.argv;
  const pty = spawn(file, args, {
    name: spec.env.TERM ?? 'xterm-256color',
    cols: spec.cols,
    rows: spec.rows,
    cwd: spec.cwd,
    env: spec.env,
    encoding: null,
  });
  if (hasSocket(pty)) readToTheEnd(pty);
  return pty;
}

/** What node-pty has on POSIX besides its published interface. */
interface PosixPty {
  /** The master, non-blocking. */
  fd: number;
  _socket: NodeJS.ReadStream;
}

const hasSocket = (pty: object): pty is PosixPty =>
  process.platform !== 'win32' && 'fd' in pty && typeof pty.fd === 'number' && '_socket' in pty;

/** More than any kernel keeps for a terminal: whoever else has it open may write for ever. */
const mostLeft = 1024 * 1024;

/**
 * node-pty destroys its socket 200 ms after the program ended, or at once when the kernel says that nobody has the
 * terminal any more. What lies in the socket of a paused one, or in the kernel when this process had no time, would be lost.
 */
function readToTheEnd({ fd, _socket: socket }: PosixPty): void {
  const destroy = socket.destroy;
  let ending = false;
  socket.destroy = (error?: Error) => {
    if (ending || socket.destroyed) return destroy.call(socket, error);
    ending = true;
    // Reading tells it to the listeners of `data` as well.
    while (socket.read() !== null);
    for (const bytes of leftIn(fd)) socket.emit('data', bytes);
    return destroy.call(socket, error);
  };
  // node-pty throws an error that nobody but itself listens to, into the event loop. Its exit event comes all the same.
  socket.on('error', () => {});
}

function* leftIn(fd: number): Generator<Buffer> {
  for (let all = 0; all < mostLeft; ) {
    const bytes = Buffer.allocUnsafe(16 * 1024);
    const length = readNow(fd, bytes);
    if (length === 0) return;
    all += length;
    yield bytes.subarray(0, length);
  }
}

/** @returns 0 when there is nothing, or nobody to write any more */
function readNow(fd: number, bytes: Buffer): number {
  try {
    return readSync(fd, bytes);
  } catch {
    return 0;
  }
}
