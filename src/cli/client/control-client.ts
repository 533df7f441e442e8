// The short way to a running bridge: one connection, one call. Only node: modules: `ps` and `approve` start in a blink.
import { join } from 'node:path';
import { isClosedDirectory, lookAtDirectory } from '../../base/files/own-path.ts';
import { readPrivate } from '../../base/files/private-file.ts';
import { isSafeSocket } from '../../base/net/socket-path.ts';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import { goOnWords } from '../../domain/views/words/claude-words.ts';
import { CliError } from '../cli-error.ts';
import { type CallOptions, type Prover, RpcConnection } from './rpc-connection.ts';

/** What a running bridge says about itself in `<state>/bridge.json`. */
export interface BridgeFile {
  pid: number;
  url: string;
  control: string;
  started_at: string;
  /** Flags that it was started with, by their names; not in that of an older release. */
  flags?: Readonly<Record<string, string>>;
  /** Its name among the machines of a cluster; absent without one. */
  node?: string;
}

/** Set by `--node`: from then on this process speaks to the bridge there, by way of the one here. */
let chosen: string | undefined;
export const reachNode = (node: string): void => {
  chosen = node;
};
/** What `--node` says; undefined for this machine. */
export const chosenNode = (): string | undefined => chosen;

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
 * Connects to the bridge that runs on `state`, or by way of it to another one of its cluster.
 * @param node whose bridge; by default the one that `--node` names, or this one
 * @throws CliError `not_running` when there is none; `no_way` when there is none that leads to another
 * @throws UnsafePathError when somebody else may be on the other end
 */
export async function connectBridge(state: string, node = chosen): Promise<RpcConnection> {
  if (node === undefined || node === readBridgeFile(state)?.node) return await connectHere(state);
  const connection = await connectHere(state).catch((error: unknown) => {
    // Whoever finds no bridge here may do without one, but not where another is meant.
    throw error instanceof CliError
      ? new CliError(error.exit, 'no_way', `${error.message} It would lead to ${node}.`, error.suggestion)
      : error;
  });
  try {
    await connection.call('cluster.dial', { node }, { timeoutMs: 10_000 });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Asks at this terminal. What it needs is loaded for the first call that takes a proof. */
const atTerminal: Prover = async (wanted) => {
  const { proveAtTerminal } = await import('../operator-proof/at-terminal.ts');
  return await proveAtTerminal(wanted);
};

async function connectHere(state: string): Promise<RpcConnection> {
  const file = readBridgeFile(state);
  if (!file) throw await notRunning(state, '');
  if (!isSafeSocket(file.control)) throw await notRunning(state, ' any more');
  const connection = await RpcConnection.open(file.control).catch(() => undefined);
  if (!connection) throw await notRunning(state, ' any more');
  connection.prover = atTerminal;
  if (process.env.SYNTHESIS_TOKEN || process.env.SYNTHESIS_TOKEN_FILE) await prove(connection);
  return connection;
}

/** A script without a terminal shows its token. @throws CliError what is wrong with it */
async function prove(connection: RpcConnection): Promise<void> {
  try {
    const { operatorToken } = await import('./operator-token.ts');
    const token = operatorToken(process.env);
    if (token !== undefined) await connection.call('caller.prove', { token }, { timeoutMs: 10_000 });
  } catch (error) {
    // What takes no token goes on without one, and what does says that this one does not do.
    if (error instanceof CliError && (error.code === 'not_allowed' || error.code === 'unknown_method'))
      return;
    connection.close();
    throw error;
  }
}

/**
 * Connects to the bridge that runs on `state` for as long as `use` takes. What is named and not known there is looked for
 * on the other machines of its cluster, too.
 * @throws CliError as `connectBridge`, and whatever `use` throws.
 */
export async function withBridge<T>(state: string, use: (bridge: RpcConnection) => Promise<T>): Promise<T> {
  const connection = await connectBridge(state);
  try {
    return await use(connection);
  } catch (error) {
    if (!isUnknown(error) || chosen !== undefined || readBridgeFile(state)?.node === undefined) throw error;
    const { onOtherNodes } = await import('./other-nodes.ts');
    return await onOtherNodes(state, use, error);
  } finally {
    connection.close();
  }
}

/** It may be known on another machine. Nothing was done then: what is named is looked for first. */
const isUnknown = (error: unknown): error is CliError =>
  error instanceof CliError && (error.code === 'no_such_session' || error.code === 'no_such_code');

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
