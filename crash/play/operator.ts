// The operator's socket, one connection a call: it outlives every bridge.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

interface Reply {
  id?: number;
  result?: unknown;
  error?: { message: string; data?: { code?: string } };
}

/** Longest wait for an answer, milliseconds. */
const patienceMs = 10_000;

/**
 * @param answered is called in the moment the answer is read, before anybody else is
 * @returns undefined when the bridge refused or was not there
 */
export async function operate<T>(
  stateDir: string,
  method: string,
  params: object,
  answered: () => void = () => {},
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const nothing = () => resolve(undefined);
  let control: string;
  try {
    ({ control } = JSON.parse(readFileSync(join(stateDir, 'bridge.json'), 'utf8')));
  } catch {
    return undefined;
  }
  // It lies in the state folder, which may be seen from here under another name.
  const socket = connect(join(stateDir, basename(control)));
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.on('error', nothing).on('close', nothing);
  createInterface(socket)
    .on('error', nothing)
    .on('line', (line) => {
      const { id, result, error } = JSON.parse(line) as Reply;
      if (id !== 1) return;
      if (!error) answered();
      resolve(error ? undefined : (result as T));
    });
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

export interface SessionSeen {
  key: string;
  pid: number | null;
  state: string;
}

export interface Question {
  code: string;
  session: string;
  digest: string;
}
