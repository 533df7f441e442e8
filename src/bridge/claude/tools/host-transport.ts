// MCP between a server here and Claude Code's client, whose messages its host hands on, each with a number of its own.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Says something to a client that has not asked. @param keep until it can be heard */
export type Notify = (message: string, keep: boolean) => void;

interface Asked {
  /** What the client calls it. One that begins anew counts from 0 again. */
  id: RequestId;
  answer(response: object | undefined): void;
}

const cancelled = 'notifications/cancelled';
/** Stays true until it was heard, unlike progress. */
const lasting = 'notifications/tools/list_changed';

export class HostTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #notify: Notify;
  readonly #asked = new Map<number, Asked>();

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  async start(): Promise<void> {}

  /**
   * What the client says.
   * @param n number of the message, which is what the server calls its request @param signal the client hung up
   * @returns the answer; undefined when none is due
   */
  take(n: number, message: unknown, signal: AbortSignal): Promise<object | undefined> {
    if (!isMessage(message)) return Promise.resolve(unreadMessage);
    if (!('id' in message)) {
      this.onmessage?.(this.#renamed(message));
      return Promise.resolve(undefined);
    }
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    this.#asked.set(n, { id: message.id, answer: resolve });
    this.onmessage?.({ ...message, id: n } as JSONRPCMessage);
    const hungUp = () => this.#cancel(n);
    if (signal.aborted) hungUp();
    else signal.addEventListener('abort', hungUp, { once: true });
    return promise;
  }

  /** An answer goes to who asked, everything else to who listens. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) return this.#notify(JSON.stringify(message), message.method === lasting);
    const n = Number(message.id);
    const asked = this.#asked.get(n);
    this.#asked.delete(n);
    asked?.answer({ ...message, id: asked.id });
  }

  async close(): Promise<void> {
    this.#asked.clear();
    this.onclose?.();
  }

  #cancel(n: number): void {
    const params = { requestId: n, reason: 'the client hung up' };
    this.onmessage?.({ jsonrpc: '2.0', method: cancelled, params });
    this.#over(n);
  }

  /** To what is cancelled no answer comes. */
  #over(n: number): void {
    this.#asked.get(n)?.answer(undefined);
    this.#asked.delete(n);
  }

  /** What it cancels has a number here. */
  #renamed(message: Notification): JSONRPCMessage {
    const { requestId } = message.params ?? {};
    if (message.method !== cancelled) return message as JSONRPCMessage;
    const n = [...this.#asked].findLast(([, { id }]) => id === requestId)?.[0];
    if (n === undefined) return message as JSONRPCMessage;
    this.#over(n);
    return { ...message, params: { ...message.params, requestId: n } } as JSONRPCMessage;
  }
}

interface Notification {
  jsonrpc: '2.0';
  method: string;
  params?: Record<string, unknown>;
}

function isMessage(value: unknown): value is Notification | (Notification & { id: RequestId }) {
  return typeof value === 'object' && value !== null && 'method' in value && typeof value.method === 'string';
}

/** To what is no message. */
export const unreadMessage = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'This is not a request of JSON-RPC.' },
} as const;
