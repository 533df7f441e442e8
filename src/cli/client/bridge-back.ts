// A bridge that went away is waited for, for as long as somebody wants it back.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../../base/time/backoff.ts';
import { connectBridge, readBridgeFile } from './control-client.ts';
import type { RpcConnection } from './rpc-connection.ts';

/** Trying costs a look at a file and a local socket. */
const retry = { baseMs: 250, factor: 1.7, maxMs: 2_000 };
/** A bridge that reads a long journal answers nothing meanwhile, ms. */
const answerMs = 10_000;

/**
 * Connects to the next bridge that runs on `state`, once what the one before has left goes on there.
 * @param signal ends the waiting, and the connection
 * @returns undefined when the signal was faster
 */
export async function bridgeBack(state: string, signal: AbortSignal): Promise<RpcConnection | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    await sleep(backoff(retry, attempt), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    const connection = await connectBridge(state).catch(() => undefined);
    if (!connection) continue;
    const hangUp = () => connection.close();
    signal.addEventListener('abort', hangUp, { once: true });
    if (signal.aborted) hangUp();
    if (await isReady(state, connection)) return signal.aborted ? undefined : connection;
    signal.removeEventListener('abort', hangUp);
    hangUp();
  }
}

/** One that starts can be talked to before it is ready; the file is that of the one before until then. */
async function isReady(state: string, connection: RpcConnection): Promise<boolean> {
  try {
    const { started_at } = await connection.call('bridge.status', {}, { timeoutMs: answerMs });
    return readBridgeFile(state)?.started_at === started_at;
  } catch {
    return false;
  }
}
