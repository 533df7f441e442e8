// The short way to a running bridge: one connection, one call. Only node: modules: `ps` and `approve` start in a blink.
import { join } from 'node:path';
import { isClosedDirectory, lookAtDirectory } from '../../base/own-path.ts';
import { readPrivate } from '../../base/private-file.ts';
import { isSafeSocket } from '../../base/socket-path.ts';
import { goOnWords } from '../../domain/views/claude-words.ts';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import { type CallOptions, RpcConnection } from './rpc-connection.ts';

/** What a running bridge says about itself in `<state>/bridge.json`. */
export interface BridgeFile {
  pid: number;
  url: string;
  control: string;
  started_at: string;
  /** Flags that it was started with, by their names; not in that of an older release. */
  flags?: Readonly<Record<string, string>>;
}

/** Its Claude Codes may have outlived the bridge: then that is what one has to know. */
async function notRunning(state: string, detail: string): Promise<CliError> {
  const { outlived } = await import('../../bridge/outlived.ts');
  return new CliError(
    'not_running',
    'not_running',
    `No bridge is running for ${state}${detail}.`,
    goOnWords(outlived(state).count) ||
      'Start it with `synthesis up`, or name another state directory with --state-dir.',
  );
}

/**
 * Whoever can write this file is the bridge for every command, so it is only taken from a folder that is closed to others.
 * @throws UnsafePathError
 */
export function readBridgeFile(state: string): BridgeFile | undefined {
  if (lookAtDirectory(state) === undefined) return undefined;
  const text = readPrivate(join(state, 'bridge.json'));
  if (text === undefined) return undefined;
  isClosedDirectory(state);
  try {
    return JSON.parse(text) as BridgeFile;
  } catch {
    return undefined;
  }
}

/**
 * Connects to the bridge that runs on `state`.
 * @throws CliError `not_running` when there is none
 * @throws UnsafePathError when somebody else may be on the other end
 */
export async function connectBridge(state: string): Promise<RpcConnection> {
  const file = readBridgeFile(state);
  if (!file) throw await notRunning(state, '');
  if (!isSafeSocket(file.control)) throw await notRunning(state, ' any more');
  try {
    return await RpcConnection.open(file.control);
  } catch {
    throw await notRunning(state, ' any more');
  }
}

/**
 * Connects to the bridge that runs on `state` for as long as `use` takes.
 * @throws CliError as `connectBridge`, and whatever `use` throws.
 */
export async function withBridge<T>(state: string, use: (bridge: RpcConnection) => Promise<T>): Promise<T> {
  const connection = await connectBridge(state);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}

/**
 * Calls one method of the bridge that runs on `state`.
 * @throws CliError as `connectBridge`, `timeout`, or what the bridge refused with.
 */
export const callBridge = <M extends ControlMethod>(
  state: string,
  method: M,
  params: ControlMethods[M]['params'],
  options: CallOptions = {},
): Promise<ControlMethods[M]['result']> =>
  withBridge(state, (bridge) => bridge.call(method, params, options));
