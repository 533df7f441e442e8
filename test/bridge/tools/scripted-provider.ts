// A provider whose every move the test decides, at the other end of a transport without a process.
import type { JSONRPCMessage, Progress } from '@modelcontextprotocol/sdk/types.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type {
  OpenTransport,
  ProviderTransport,
  TransportEvents,
} from '../../../src/bridge/tools/link/transport.ts';

interface Request {
  id: number;
  method: string;
  params?: Record<string, unknown>;
}

export class ScriptedProvider {
  /** Why it cannot be started. */
  refuses: string | undefined;
  /** Answers nothing while it hangs. */
  hangs = false;
  tools: unknown[] = [
    { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  ];
  health: object | undefined;
  /** Whether it knows `ping`. */
  pings = true;
  /** What it sends as the next page of its list, if anything. */
  nextPage: string | undefined;
  /** Why nothing can be sent to it. */
  unreachable: string | undefined;
  starts = 0;
  kills = 0;
  readonly calls: Request[] = [];
  /** Methods of all requests, in order. */
  readonly asked: string[] = [];
  /** Ids of requests that were taken back. */
  readonly cancelled: unknown[] = [];
  /** The answer to a call; undefined: none. */
  onCall: (request: Request) => object | undefined = ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params?.arguments) }],
  });
  onEnd: () => void = () => {};
  #transport: ProviderTransport | undefined;
  #events: TransportEvents | undefined;
  #held: Request[] = [];

  readonly open: OpenTransport = async (_provider, events) => {
    this.starts += 1;
    if (this.refuses !== undefined) throw new Error(this.refuses);
    this.#events = events;
    const transport: ProviderTransport = {
      start: async () => {},
      send: async (message) => {
        this.#got(message as never);
        if (this.unreachable !== undefined) throw new Error(this.unreachable);
      },
      close: async () => this.end('it was closed'),
      kill: () => {
        this.kills += 1;
        this.end('it was killed');
      },
    };
    this.#transport = transport;
    return transport;
  };

  /** It ends by itself. */
  end(why: string): void {
    const transport = this.#transport;
    this.#transport = undefined;
    if (!transport) return;
    this.onEnd();
    this.#events?.ended(why);
    transport.onclose?.();
  }

  garble(): void {
    this.#events?.garbled();
  }

  say(text: string): void {
    this.#events?.said(text);
  }

  send(message: object): void {
    this.#transport?.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  }

  /** Tells of the newest call how far it is. */
  progress(progress: Progress): void {
    const { progressToken } = (this.calls.at(-1)?.params?._meta ?? {}) as { progressToken?: number };
    this.send({ method: 'notifications/progress', params: { ...progress, progressToken } });
  }

  /** Goes on, with everything that it left unanswered. */
  wake(): void {
    this.hangs = false;
    for (const request of this.#held.splice(0)) this.#answer(request);
  }

  #got(message: Partial<Request>): void {
    if (message.method === 'notifications/cancelled') this.cancelled.push(message.params?.requestId);
    if (message.id === undefined || message.method === undefined) return;
    const request = message as Request;
    this.asked.push(request.method);
    if (request.method === 'tools/call') this.calls.push(request);
    if (this.hangs || this.unreachable !== undefined) this.#held.push(request);
    else queueMicrotask(() => this.#answer(request));
  }

  #answer(request: Request): void {
    const result = this.#resultOf(request);
    if (result) this.send({ id: request.id, ...result });
  }

  #resultOf(request: Request): object | undefined {
    switch (request.method) {
      case 'initialize': {
        const serverInfo = { name: 'scripted', version: '1.0.0' };
        const capabilities = { tools: { listChanged: true } };
        return { result: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, serverInfo } };
      }
      case 'tools/list':
        return { result: { tools: this.tools, ...(this.nextPage && { nextCursor: this.nextPage }) } };
      case 'ping':
        if (!this.pings) return { error: { code: -32601, message: 'unknown' } };
        return { result: this.health ? { _meta: { 'synthesis/health': this.health } } : {} };
      case 'tools/call': {
        const answer = this.onCall(request);
        return answer && ('error' in answer ? answer : { result: answer });
      }
      default:
        return { error: { code: -32601, message: 'unknown' } };
    }
  }
}
