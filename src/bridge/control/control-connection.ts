// One client of the control socket: requests in, answers and notifications out, each call with an end of its own.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../base/log.ts';
import { LineSplitter } from '../../base/text/lines.ts';
import type { CallId } from '../../domain/views/control.ts';
import { type ControlErrorCode, controlErrors } from '../../domain/views/control-errors.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import type { Attachment, ControlCall, ControlHandlers, HandledMethod } from './control-call.ts';
import { ControlRequest, controlParams } from './control-schema.ts';
import type { Admitted, Guard } from './guard.ts';
import { ProofWantedError } from './proof-wanted-error.ts';
import { rightFor, takesProof } from './rights.ts';

/** Longest request line, characters: a long chat message with room to spare. */
const longestLine = 8 * 1024 * 1024;
/** Calls that may run at once on one connection. */
const mostCalls = 256;
/** Unread bytes beyond which streams wait and no further request is taken. */
const clogBytes = 1024 * 1024;

export class ControlConnection {
  readonly #socket: Duplex;
  readonly #handlers: ControlHandlers;
  readonly #guard: Guard;
  readonly #log: Log;
  readonly #turned: (idle: boolean) => void;
  readonly #lines = new LineSplitter(longestLine);
  readonly #calls = new Map<CallId, AbortController>();
  readonly #attachments = new Map<CallId, Attachment>();
  #far: Duplex | undefined;

  /** @param turned whether a call runs from here on, or none any more */
  constructor(
    socket: Duplex,
    handlers: ControlHandlers,
    guard: Guard,
    log: Log,
    turned: (idle: boolean) => void,
  ) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#guard = guard;
    this.#log = log;
    this.#turned = turned;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#endCalls());
    socket.on('data', this.#take);
  }

  /** Ends every call and hangs up. Idempotent. */
  close(): void {
    this.#far?.destroy();
    this.#endCalls();
    this.#socket.destroy();
  }

  #endCalls(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  readonly #take = (chunk: Uint8Array): void => {
    let lines: string[];
    try {
      lines = this.#lines.push(chunk);
    } catch {
      this.#socket.destroy();
      return;
    }
    for (const line of lines) void this.#answer(line);
    if (this.#clogged) void this.#pause();
  };

  /** A client that does not read is not listened to, either. */
  async #pause(): Promise<void> {
    this.#socket.pause();
    await this.#drained();
    this.#socket.resume();
  }

  get #clogged(): boolean {
    return this.#socket.writableLength > clogBytes;
  }

  async #drained(signal?: AbortSignal): Promise<void> {
    const socket = this.#socket;
    if (!socket.writable || !socket.writableNeedDrain || signal?.aborted) return;
    const done = new AbortController();
    const ended = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
    const quiet = () => undefined;
    await Promise.race(
      ['drain', 'close'].map((event) => once(socket, event, { signal: ended }).then(quiet, quiet)),
    );
    done.abort();
  }

  #send(message: object): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async #answer(line: string): Promise<void> {
    let id: CallId | null = null;
    try {
      const request = parseRequest(line);
      id = request.id;
      this.#send({ id, result: await this.#run(request) });
      if (this.#far) this.#splice(this.#far);
    } catch (error) {
      this.#send({ id, error: this.#errorObject(error) });
    }
  }

  /** Nothing of the far end's is looked at. */
  #splice(far: Duplex): void {
    this.#endCalls();
    // Whether somebody is at work on it is not seen any more.
    this.#turned(false);
    const socket = this.#socket.off('data', this.#take);
    const both = [pipeline(socket, far), pipeline(far, socket)];
    // Whichever end goes takes the other with it; there is nobody else to be told.
    void Promise.allSettled(both);
  }

  async #run({ id, method, params, proof }: ControlRequest): Promise<unknown> {
    if (method === 'call.cancel') return this.#cancel(checked('call.cancel', params).call);
    if (!isHandled(method)) {
      throw new OperatorError(
        'unknown_method',
        `Unknown method "${method}".`,
        'Is the client newer than the bridge?',
      );
    }
    if (this.#calls.has(id)) {
      throw new OperatorError('bad_request', 'A call with this id still runs.', 'Give each call its own id.');
    }
    if (this.#calls.size >= mostCalls) {
      throw new OperatorError(
        'too_many_calls',
        `${mostCalls} calls run on this connection.`,
        'End some, or open another connection.',
      );
    }
    const handler = this.#handlers[method] as (params: unknown, call: ControlCall) => unknown;
    const given = checked(method, params);
    const right = rightFor(method, given);
    // A proof is over what the client has sent, and not over what was made of it here.
    const admitted = this.#guard.admit({
      method,
      right,
      params,
      proof,
      takesProof: takesProof(method, given),
    });
    const abort = new AbortController();
    this.#calls.set(id, abort);
    this.#turned(false);
    try {
      return await handler(given, this.#callOf(id, admitted, abort.signal));
    } finally {
      this.#calls.delete(id);
      abort.abort();
      if (this.#calls.size === 0) this.#turned(true);
    }
  }

  #callOf(id: CallId, { caller, provenBy }: Admitted, signal: AbortSignal): ControlCall {
    const connection = this;
    return {
      id,
      caller,
      provenBy,
      guard: this.#guard,
      signal,
      attachments: this.#attachments,
      get clogged() {
        return connection.#clogged;
      },
      drained: () => this.#drained(signal),
      handOver: (far) => {
        this.#far = far;
      },
      notify: (method, params) => {
        if (!signal.aborted) this.#send({ method, params: { call: id, ...params } });
      },
    };
  }

  #cancel(call: CallId): { cancelled: boolean } {
    const found = this.#calls.get(call);
    found?.abort();
    return { cancelled: found !== undefined };
  }

  #errorObject(error: unknown): object {
    if (error instanceof OperatorError) {
      const { code, message, suggestion } = error;
      const wanted = error instanceof ProofWantedError ? { challenge: error.challenge, why: error.why } : {};
      return { code: controlErrors[code], message, data: { code, suggestion, ...wanted } };
    }
    this.#log.error('control call failed', { error });
    const code: ControlErrorCode = 'internal';
    const suggestion = "Look into the bridge's log.";
    return {
      code: controlErrors[code],
      message: 'The bridge failed to do this.',
      data: { code, suggestion },
    };
  }
}

const isHandled = (name: string): name is HandledMethod =>
  Object.hasOwn(controlParams(), name) && name !== 'call.cancel';

type Schemas = ReturnType<typeof controlParams>;
type Params<M extends keyof Schemas> = ReturnType<Schemas[M]['parse']>;

function checked<M extends keyof Schemas>(method: M, params: unknown): Params<M> {
  const parsed = controlParams()[method].safeParse(params ?? {});
  if (parsed.success) return parsed.data as Params<M>;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') ?? '';
  throw new OperatorError(
    'bad_request',
    `${method}: ${where} ${issue?.message ?? 'is wrong'}`,
    'Correct it.',
  );
}

function parseRequest(line: string): ControlRequest {
  try {
    return ControlRequest.parse(JSON.parse(line));
  } catch (cause) {
    const error = new OperatorError(
      'bad_request',
      'Not a JSON-RPC 2.0 request.',
      'Send one JSON object per line.',
    );
    error.cause = cause;
    throw error;
  }
}
