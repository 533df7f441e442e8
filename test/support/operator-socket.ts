// The operator's control socket from outside: one connection, JSON-RPC in lines. Knows the documented protocol only.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { operatorEnv } from './operate-token.ts';
import { until } from './until.ts';

/** A row of the journal as `events.subscribe` tells it. */
export interface Row {
  seq: number;
  /** Epoch ms. */
  at: number;
  session: string;
  event: { type: string } & Record<string, unknown>;
}

interface Reply {
  id?: number;
  method?: string;
  params?: { call: number; row?: Row };
  result?: unknown;
  error?: { message: string; data: { code: string } };
}

/** Keys sent sooner after a dialog's text was drawn are lost now and then (measured on Claude Code 2.1.329). */
const drawnMs = 900;

export class OperatorSocket implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #last = 0;
  /** The journal so far, oldest first. */
  readonly rows: Row[] = [];
  #told = new Set<string>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface(socket).on('line', (line) => this.#take(JSON.parse(line) as Reply));
  }

  /** Connects to the bridge that runs on a state directory, and follows its journal from the first row. */
  static async open(stateDir: string): Promise<OperatorSocket> {
    const { control } = JSON.parse(readFileSync(join(stateDir, 'bridge.json'), 'utf8')) as {
      control: string;
    };
    const socket = connect(control);
    await once(socket, 'connect');
    const operator = new OperatorSocket(socket);
    operator.#start('caller.prove', { token: operatorEnv.SYNTHESIS_TOKEN });
    operator.#start('events.subscribe', { from: 0 });
    return operator;
  }

  /** @throws with the refusal's code and message */
  async call<T = unknown>(method: string, params: object = {}): Promise<T> {
    const { reply } = this.#start(method, params);
    const { result, error } = await reply;
    if (error) throw new Error(`${error.data.code}: ${error.message}`);
    return result as T;
  }

  /** Events of one type, oldest first. */
  events(type: string): Row['event'][] {
    return this.rows.filter(({ event }) => event.type === type).map(({ event }) => event);
  }

  /** What Claude's terminal shows. */
  async screen(session: string): Promise<string> {
    const { screen } = await this.call<{ screen: string[] | null }>('session.inspect', { session });
    return (screen ?? []).join('\n');
  }

  /** Presses keys in Claude's terminal once `drawn` has stood on its screen for a while. */
  async press(session: string, drawn: string, keys: string): Promise<void> {
    let since: number | undefined;
    await until(
      `"${drawn}" on the screen`,
      async () => {
        since = (await this.screen(session)).includes(drawn) ? (since ?? performance.now()) : undefined;
        return since !== undefined && performance.now() - since > drawnMs;
      },
      30_000,
    );
    const { id, reply } = this.#start('terminal.attach', { session, cols: 120, rows: 40, drive: true });
    await until('the terminal', () => this.#told.has(`terminal.snapshot ${id}`));
    await this.call('terminal.input', { call: id, data: keys });
    await this.call('call.cancel', { call: id });
    await reply;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
  }

  #start(method: string, params: object): { id: number; reply: Promise<Reply> } {
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, resolve);
    this.#socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return { id, reply: promise };
  }

  #take(message: Reply): void {
    if (message.method === 'event' && message.params?.row) this.rows.push(message.params.row);
    else if (message.method) this.#told.add(`${message.method} ${message.params?.call}`);
    else if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
  }
}
