// One connection to the bridge's control socket: many calls at once, each with its notifications. Only node: modules.
import type { Socket } from 'node:net';
import { LineSplitter } from '../../base/text/lines.ts';
import type { ControlMethod, ControlMethods } from '../../domain/views/control.ts';
import type { Challenge, Proof } from '../../domain/views/operator-proof.ts';
import { CliError } from '../cli-error.ts';
import type { ExitName } from '../exit-codes.ts';

const exitOf: Record<string, ExitName> = {
  no_such_session: 'not_found',
  no_such_code: 'not_found',
  no_such_provider: 'not_found',
  no_such_node: 'not_found',
  ambiguous: 'usage',
  name_in_use: 'usage',
  bad_request: 'usage',
  timeout: 'timeout',
  node_away: 'not_running',
  not_allowed: 'denied',
  proof_wanted: 'denied',
};

/** Longest line from the bridge, characters. */
const longestLine = 64 * 1024 * 1024;

export interface CallOptions {
  onNotification?: (method: string, params: Record<string, unknown>) => void;
  /** Milliseconds; without one the call waits as long as the bridge works on it. */
  timeoutMs?: number;
  /** Ends the call at the bridge; its result or error still comes. */
  signal?: AbortSignal;
}

interface Reply {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: {
    message: string;
    data?: { code: string; suggestion: string; challenge?: Challenge; why?: string };
  };
}

/** A call that takes a proof of the operator secret. */
export interface WantedProof {
  method: string;
  params: unknown;
  challenge: Challenge;
  /** What was wrong with the one before, and which one this is, from 1. */
  why: string | undefined;
  attempt: number;
  /** Nobody waits for the proof any more: the bridge has ended. */
  signal?: AbortSignal;
}

/** Gets a proof from whoever sits there. @throws CliError when they give none; then nothing is decided */
export type Prover = (wanted: WantedProof) => Promise<Proof>;

/** Times that a proof may be shown for one call. */
const maxAttempts = 3;

interface OpenCall {
  method: string;
  params: unknown;
  attempt: number;
  /** Begins the time in which the bridge has to answer; a person takes as long as they like. */
  arm(): void;
  disarm(): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
  onNotification: CallOptions['onNotification'];
}

export class RpcConnection {
  readonly #socket: Socket;
  readonly #lines = new LineSplitter(longestLine);
  readonly #calls = new Map<number, OpenCall>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #gone = new AbortController();
  #ids = 0;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed = this.#ended.promise;
  /** Without one, a call that takes a proof is refused. */
  prover: Prover | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  /** @throws the error of the socket: ENOENT or ECONNREFUSED when nobody listens, EACCES when it is somebody else's. */
  static async open(path: string): Promise<RpcConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // A help connects to nobody: Node's sockets are loaded here.
    const socket = process.getBuiltinModule('node:net').connect(path, resolve);
    socket.once('error', reject);
    await promise;
    socket.off('error', reject);
    return new RpcConnection(socket);
  }

  /** @throws CliError what the bridge refused with, `timeout`, or `hung_up` when it ended meanwhile. */
  call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
    options: CallOptions = {},
  ): Promise<ControlMethods[M]['result']> {
    return this.start(method, params, options).result;
  }

  /** As `call`; the id names the call in others, e.g. `terminal.input`. */
  start<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
    { onNotification, timeoutMs, signal }: CallOptions = {},
  ): { id: number; result: Promise<ControlMethods[M]['result']> } {
    const id = ++this.#ids;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let timer: NodeJS.Timeout | undefined;
    const disarm = () => clearTimeout(timer);
    const arm = () => {
      if (timeoutMs !== undefined) timer = setTimeout(() => reject(late(method, timeoutMs)), timeoutMs);
    };
    if (this.#socket.destroyed) reject(hungUp());
    else {
      this.#calls.set(id, { method, params, attempt: 0, arm, disarm, resolve, reject, onNotification });
      this.#write({ id, method, params });
    }
    arm();
    const cancel = () => this.#write({ id: ++this.#ids, method: 'call.cancel', params: { call: id } });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    const result = promise.finally(() => {
      disarm();
      signal?.removeEventListener('abort', cancel);
      this.#calls.delete(id);
    });
    return { id, result: result as Promise<ControlMethods[M]['result']> };
  }

  /** Hangs up. Idempotent. */
  close(): void {
    // A tick later: Node opens standard error as a stream for it, and a command that is over by then ends without.
    setImmediate(() => this.#socket.destroy());
  }

  #write(message: object): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(chunk: Uint8Array): void {
    for (const line of this.#lines.push(chunk)) {
      const reply = JSON.parse(line) as Reply;
      if (reply.method !== undefined) this.#notified(reply.method, reply.params ?? {});
      else this.#answered(reply);
    }
  }

  #notified(method: string, params: Record<string, unknown>): void {
    this.#calls.get(Number(params.call))?.onNotification?.(method, params);
  }

  #answered({ id, result, error }: Reply): void {
    const call = this.#calls.get(Number(id));
    if (!call) return;
    if (!error) return call.resolve(result);
    const { code = 'internal', suggestion = '', challenge, why } = error.data ?? {};
    if (code === 'proof_wanted' && challenge && this.prover && call.attempt < maxAttempts)
      return void this.#repeat(Number(id), call, { challenge, why }, this.prover);
    call.reject(new CliError(exitOf[code] ?? 'failure', code, error.message, suggestion));
  }

  /** The same call, with what proves that a person wants it. */
  async #repeat(
    id: number,
    call: OpenCall,
    asked: Pick<WantedProof, 'challenge' | 'why'>,
    prover: Prover,
  ): Promise<void> {
    const { method, params } = call;
    call.attempt += 1;
    call.disarm();
    try {
      const proof = await prover({
        method,
        params,
        attempt: call.attempt,
        signal: this.#gone.signal,
        ...asked,
      });
      if (!this.#calls.has(id)) return;
      if (this.#socket.destroyed) return call.reject(hungUp());
      call.arm();
      this.#write({ id, method, params, proof });
    } catch (error) {
      call.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(): void {
    for (const call of this.#calls.values()) call.reject(hungUp());
    this.#gone.abort();
    this.#ended.resolve();
  }
}

const hungUp = () =>
  new CliError(
    'failure',
    'hung_up',
    'The bridge ended before it answered.',
    'Look at `synthesis ps`, then repeat.',
  );

const late = (method: string, ms: number) =>
  new CliError(
    'timeout',
    'timeout',
    `The bridge did not answer ${method} within ${ms / 1000} s.`,
    'It may be busy: look at its log, or try again.',
  );
