// JSON-RPC 2.0, one message per line, on a local socket that only its owner may open: file permissions are the auth.
import { chmodSync, existsSync, lstatSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { LineSplitter } from '../../base/lines.ts';
import type { Log } from '../../base/log.ts';
import {
  type ControlErrorCode,
  type ControlMethod,
  type ControlMethods,
  controlErrors,
} from '../../domain/views/control.ts';
import { OperatorError } from '../app/operator-error.ts';
import { ControlRequest, controlParams } from './control-schema.ts';

/** What a handler may use besides its parameters. */
export interface ControlCall {
  /** Sends a notification that belongs to this call, before its result. */
  notify(method: string, params: Record<string, unknown>): void;
  /** Aborts when the client hangs up. */
  signal: AbortSignal;
}

export type ControlHandlers = {
  [M in ControlMethod]: (
    params: ControlMethods[M]['params'],
    call: ControlCall,
  ) => ControlMethods[M]['result'] | Promise<ControlMethods[M]['result']>;
};

/** Longest request line, characters: a long chat message with room to spare. */
const longestLine = 8 * 1024 * 1024;

export class ControlServer {
  readonly #handlers: ControlHandlers;
  readonly #log: Log;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(handlers: ControlHandlers, log: Log) {
    this.#handlers = handlers;
    this.#log = log;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens at `path`, mode 0600. A socket file that a killed bridge left behind is replaced. */
  async listen(path: string): Promise<void> {
    if (existsSync(path) && lstatSync(path).isSocket()) unlinkSync(path);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    // The file is born private: no moment in which another user could open it.
    const mask = process.umask(0o177);
    this.#server.listen(path, resolve);
    process.umask(mask);
    await promise;
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }

  #accept(socket: Socket): void {
    const lines = new LineSplitter(longestLine);
    const hangup = new AbortController();
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      hangup.abort();
    });
    socket.on('data', (chunk) => {
      try {
        for (const line of lines.push(chunk)) void this.#answer(socket, line, hangup.signal);
      } catch {
        socket.destroy();
      }
    });
  }

  async #answer(socket: Socket, line: string, signal: AbortSignal): Promise<void> {
    const send = (message: object) => {
      if (socket.writable) socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    let id: number | string | null = null;
    try {
      const request = parseRequest(line);
      id = request.id;
      const notify = (method: string, params: Record<string, unknown>) => send({ method, params });
      send({ id, result: await this.#call(request, { notify, signal }) });
    } catch (error) {
      send({ id, error: this.#errorObject(error) });
    }
  }

  #call(request: ControlRequest, call: ControlCall): unknown {
    const { method } = request;
    if (!isMethod(method)) {
      throw new OperatorError(
        'unknown_method',
        `Unknown method "${method}".`,
        'Is the client newer than the bridge?',
      );
    }
    const params = controlParams[method].safeParse(request.params ?? {});
    if (!params.success) {
      const issue = params.error.issues[0];
      const where = issue?.path.join('.') ?? '';
      throw new OperatorError(
        'bad_request',
        `${method}: ${where} ${issue?.message ?? 'is wrong'}`,
        'Correct it.',
      );
    }
    const handler = this.#handlers[method] as (params: unknown, call: ControlCall) => unknown;
    return handler(params.data, call);
  }

  #errorObject(error: unknown): object {
    if (error instanceof OperatorError) {
      const { code, message, suggestion } = error;
      return { code: controlErrors[code], message, data: { code, suggestion } };
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

const isMethod = (name: string): name is ControlMethod => Object.hasOwn(controlParams, name);

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
