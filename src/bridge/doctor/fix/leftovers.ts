// What processes that were killed have left behind, while no bridge runs. It does no harm: whoever comes next takes it
// away or writes over it.
import { readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { lookAtDirectory } from '../../../base/files/own-path.ts';
import { readPrivate } from '../../../base/files/private-file.ts';
import { isSafeSocket } from '../../../base/net/socket-path.ts';
import { isAlive, isRunning, readIdentity } from '../../../base/process/process-identity.ts';
import type { BridgeFile } from '../../state-files.ts';
import { hostFileIn } from '../../terminal/host-folders.ts';
import type { Fix } from './fix.ts';

/** Whose processes are gone for certain. Nothing is changed. */
export function leftovers(stateDir: string): Fix[] {
  if (!names(stateDir).includes('bridge.json')) return inFolders(stateDir);
  const bridge = contentOf<Partial<BridgeFile>>(join(stateDir, 'bridge.json'));
  // One whose process cannot be told may run, and all the rest be its.
  if (!bridge || !Number.isSafeInteger(bridge.pid) || isRunning(Number(bridge.pid))) return [];
  const socket = typeof bridge.control === 'string' && isOurSocket(bridge.control) ? [bridge.control] : [];
  const of = `a bridge that is gone (pid ${bridge.pid})`;
  return [
    ...socket.map((path) => socketRemoval(path, of)),
    removal(join(stateDir, 'bridge.json'), of),
    ...inFolders(stateDir),
  ];
}

function inFolders(stateDir: string): Fix[] {
  const locks = join(stateDir, 'locks');
  const sessions = join(stateDir, 'sessions');
  return [
    ...names(locks).flatMap((name) => deadLock(join(locks, name))),
    ...names(sessions).flatMap((name) => deadHost(join(sessions, name))),
    ...[stateDir, ...names(sessions).map((name) => join(sessions, name))].flatMap(deadDrafts),
  ];
}

function deadLock(path: string): Fix[] {
  const holder = readIdentity(contentOf(path));
  return holder && !isAlive(holder) ? [removal(path, `a process that is gone (pid ${holder.pid})`)] : [];
}

function deadHost(dir: string): Fix[] {
  const host = hostFileIn(dir);
  if (!host || isAlive(host)) return [];
  const of = `a host that is gone (pid ${host.pid})`;
  const socket = isOurSocket(host.socket) ? [socketRemoval(host.socket, of)] : [];
  return [...socket, removal(join(dir, 'host.json'), of)];
}

/** A file that is replaced whole is written beside it first, under the pid of the writer. */
function deadDrafts(dir: string): Fix[] {
  return names(dir).flatMap((name) => {
    const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
    return pid === undefined || isRunning(Number(pid))
      ? []
      : [removal(join(dir, name), `a process that is gone (pid ${pid})`)];
  });
}

const removal = (path: string, of: string): Fix => ({
  name: 'leftovers',
  did: `${join(basename(dirname(path)), basename(path))} of ${of} is taken away.`,
  carryOut: () => rmSync(path, { force: true }),
});

/** A bridge that is just starting may listen there by now, before it says so anywhere. */
const socketRemoval = (path: string, of: string): Fix => ({
  ...removal(path, of),
  carryOut: async () => {
    if (await isAnswered(path)) throw new Error('somebody answers there');
    rmSync(path, { force: true });
  },
});

function isAnswered(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.setTimeout(1_000, () => resolve(true));
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** [] for what is not there, and for what somebody else may have made: the check `state` says so. */
function names(dir: string): string[] {
  try {
    return lookAtDirectory(dir) === undefined ? [] : readdirSync(dir);
  } catch {
    return [];
  }
}

function contentOf<T>(path: string): T | undefined {
  try {
    return JSON.parse(readPrivate(path) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function isOurSocket(path: string): boolean {
  try {
    return isSafeSocket(path);
  } catch {
    return false;
  }
}
