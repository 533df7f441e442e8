// The short way to a running bridge. Only node: modules: `ps` and `approve` start in a blink.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { LineSplitter } from '../../base/lines.ts';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import { CliError } from '../cli-error.ts';
import type { ExitName } from '../exit-codes.ts';

/** What a running bridge says about itself in `<state>/bridge.json`. */
export interface BridgeFile {
  pid: number;
  url: string;
  control: string;
}

const exitOf: Record<string, ExitName> = {
  no_such_session: 'not_found',
  no_such_code: 'not_found',
  ambiguous: 'usage',
  bad_request: 'usage',
  already_answered: 'failure',
  not_running: 'failure',
};

/** Longest line from the bridge, characters. */
const longestLine = 64 * 1024 * 1024;

export interface CallOptions {
  onNotification?: (method: string, params: Record<string, unknown>) => void;
  /** Milliseconds; without one the call waits as long as the bridge works on it. */
  timeoutMs?: number;
}

const notRunning = (state: string, detail: string) =>
  new CliError(
    'not_running',
    'not_running',
    `No bridge is running for ${state}${detail}.`,
    'Start it with `synthesis up`, or name another state directory with --state-dir.',
  );

export function readBridgeFile(state: string): BridgeFile | undefined {
  try {
    return JSON.parse(readFileSync(join(state, 'bridge.json'), 'utf8')) as BridgeFile;
  } catch {
    return undefined;
  }
}

/**
 * Calls one method of the bridge that runs on `state`.
 * @throws CliError `not_running` when there is none, `timeout`, or what the bridge refused with.
 */
export async function callBridge<M extends ControlMethod>(
  state: string,
  method: M,
  params: ControlMethods[M]['params'],
  options: CallOptions = {},
): Promise<ControlMethods[M]['result']> {
  const file = readBridgeFile(state);
  if (!file) throw notRunning(state, '');
  const socket = await open(state, file.control);
  try {
    return (await exchange(socket, method, params, options)) as ControlMethods[M]['result'];
  } finally {
    socket.destroy();
  }
}

async function open(state: string, path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(path, () => resolve(socket));
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') {
      reject(
        new CliError(
          'failure',
          'forbidden',
          `The socket ${path} belongs to another user.`,
          'Run this as that user.',
        ),
      );
    } else reject(notRunning(state, ' any more'));
  });
  return promise;
}

interface Reply {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string; data?: { code: string; suggestion: string } };
}

function exchange(socket: Socket, method: string, params: object, options: CallOptions): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const lines = new LineSplitter(longestLine);
  const { timeoutMs } = options;
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => reject(late(method, timeoutMs)), timeoutMs);
  const take = (reply: Reply) => {
    if (reply.method) return options.onNotification?.(reply.method, reply.params ?? {});
    if (!reply.error) return resolve(reply.result);
    const { code = 'internal', suggestion = '' } = reply.error.data ?? {};
    reject(new CliError(exitOf[code] ?? 'failure', code, reply.error.message, suggestion));
  };
  socket.on('data', (chunk) => {
    for (const line of lines.push(chunk)) take(JSON.parse(line) as Reply);
  });
  socket.on('error', reject);
  socket.on('close', () => {
    reject(
      new CliError(
        'failure',
        'hung_up',
        'The bridge ended before it answered.',
        'Look at `synthesis ps`, then repeat.',
      ),
    );
  });
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  return promise.finally(() => clearTimeout(timer));
}

const late = (method: string, ms: number) =>
  new CliError(
    'timeout',
    'timeout',
    `The bridge did not answer ${method} within ${ms / 1000} s.`,
    'It may be busy: look at its log, or try again.',
  );
