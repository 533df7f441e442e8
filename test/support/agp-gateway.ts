// The server side of AGP, strict: every frame of the client is checked by hand, without the project's own schemas, and
// every rule of the protocol is kept count of. A broken rule is a line in `faults`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';
import { lastingPort } from './lasting-port.ts';
import { until } from './until.ts';

type Json = Record<string, unknown>;

export interface ToolSeen {
  id: string;
  title: unknown;
  kind: unknown;
  status: string;
  locations: unknown;
  content: unknown;
}

/** One prompt and everything that came back for it, duplicates by msg_id left out. */
export class PromptSeen {
  readonly session: string;
  readonly id: string;
  readonly text: string;
  readonly frame: Json;
  readonly chunks: string[] = [];
  /** `message_chunk`, `tool_call …`, … in order. */
  readonly order: string[] = [];
  readonly tools = new Map<string, ToolSeen>();
  response: { stop_reason: string; content?: string; error?: string; msg_id: string } | undefined;
  /** A restart of the bridge may lose count of what was streamed before it. */
  interrupted = false;
  cancelled = false;

  constructor(frame: Json, session: string, id: string, text: string) {
    this.frame = frame;
    this.session = session;
    this.id = id;
    this.text = text;
  }

  get streamed(): string {
    return this.chunks.join('');
  }
}

export interface GatewayOptions {
  token?: string;
  /** HTTP status of every upgrade. */
  refuse?: number;
  guid?: string;
  userId?: string | null;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const kinds = ['read', 'edit', 'delete', 'execute', 'search', 'fetch', 'think', 'other'];
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class AgpGateway implements AsyncDisposable {
  readonly faults: string[] = [];
  readonly prompts = new Map<string, PromptSeen>();
  readonly pings: Json[] = [];
  /** Frames that came, repeats included. */
  received = 0;
  repeats = 0;
  connections = 0;
  tokens: (string | null)[] = [];
  /** Called for each frame after it was taken. */
  onFrame: (count: number) => void = () => {};
  refuse: number | undefined;
  readonly #options: GatewayOptions;
  readonly #texts = new Map<string, string>();
  #server: WebSocketServer | undefined;
  #sockets: WebSocket[] = [];
  #port = 0;
  #prompts = 0;

  constructor(options: GatewayOptions = {}) {
    this.#options = options;
    this.refuse = options.refuse;
  }

  static async start(options: GatewayOptions = {}): Promise<AgpGateway> {
    const gateway = new AgpGateway(options);
    await gateway.listen();
    return gateway;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}/agentwss`;
  }

  get live(): number {
    return this.#sockets.filter((socket) => socket.readyState === socket.OPEN).length;
  }

  async listen(): Promise<void> {
    this.#port ||= await lastingPort();
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: this.#port,
      path: '/agentwss',
      verifyClient: ({ req }, admit) => {
        const token = new URL(req.url ?? '', 'ws://x').searchParams.get('token');
        this.tokens.push(token);
        if (this.refuse !== undefined) return admit(false, this.refuse);
        admit(this.#options.token === undefined || token === this.#options.token, 401);
      },
    });
    server.on('connection', (socket) => this.#accept(socket));
    this.#server = server;
    await once(server, 'listening');
  }

  #accept(socket: WebSocket): void {
    this.connections += 1;
    this.#sockets.push(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets = this.#sockets.filter((other) => other !== socket);
    });
    socket.on('message', (data, binary) => {
      // What a cut socket still holds in its buffer never reached the gateway.
      if (socket.readyState !== socket.OPEN) return;
      this.received += 1;
      if (binary) this.faults.push('a binary message');
      else this.#take(data.toString());
      this.onFrame(this.received);
    });
  }

  connected(n = 1): Promise<boolean> {
    return until(`connection no. ${n}`, () => this.connections >= n && this.live > 0);
  }

  /** Sends a message of a user. */
  prompt(
    session: string,
    text: string,
    more: { id?: string; msgId?: string; content?: unknown } = {},
  ): PromptSeen {
    this.#prompts += 1;
    const id = more.id ?? `prompt-${this.#prompts}`;
    const { guid = 'device-1', userId = 'wx-alice' } = this.#options;
    const frame = {
      msg_id: more.msgId ?? randomUUID(),
      guid,
      ...(userId !== null && { user_id: userId }),
      method: 'session.prompt',
      payload: {
        session_id: session,
        prompt_id: id,
        agent_app: 'agent_demo',
        content: more.content ?? [{ type: 'text', text }],
      },
    };
    return this.frame(frame, session, id, text);
  }

  /** Sends a prompt whose frame the test made. */
  frame(frame: Json, session: string, id: string, text: string): PromptSeen {
    const seen = this.prompts.get(id) ?? new PromptSeen(frame, session, id, text);
    this.prompts.set(id, seen);
    this.raw(JSON.stringify(frame));
    return seen;
  }

  /** The same frame once more. */
  again(seen: PromptSeen): void {
    this.raw(JSON.stringify(seen.frame));
  }

  cancel(seen: Pick<PromptSeen, 'session' | 'id'> & { cancelled?: boolean }): void {
    seen.cancelled = true;
    const payload = { session_id: seen.session, prompt_id: seen.id, agent_app: 'agent_demo' };
    this.raw(JSON.stringify({ msg_id: randomUUID(), guid: 'device-1', method: 'session.cancel', payload }));
  }

  raw(text: string | Buffer): void {
    for (const socket of this.#sockets) if (socket.readyState === socket.OPEN) socket.send(text);
  }

  async answered(seen: PromptSeen, ms = 10_000): Promise<NonNullable<PromptSeen['response']>> {
    return until(`the response to ${seen.id} (${seen.text})`, () => seen.response, ms);
  }

  async ask(session: string, text: string): Promise<PromptSeen> {
    const seen = this.prompt(session, text);
    await this.answered(seen);
    return seen;
  }

  /** Cuts every connection without a close frame. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** The network swallows everything: nothing is read, no ping answered, nothing closed. */
  stall(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.#sockets) socket.close(code, reason);
  }

  /** The process of the gateway ends. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.cut();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** What was promised for every prompt, looked at when all is over. @returns every broken rule */
  verdict(): string[] {
    for (const seen of this.prompts.values()) {
      const { response, streamed, id } = seen;
      if (!response) this.#fault(id, 'no response');
      else if (response.stop_reason === 'end_turn' && !seen.interrupted && streamed !== response.content)
        this.#fault(id, `streamed ${JSON.stringify(streamed)}, answered ${JSON.stringify(response.content)}`);
      else if (seen.interrupted && response.content !== undefined && !response.content.startsWith(streamed))
        this.#fault(id, 'what was streamed is not the beginning of the answer');
      for (const tool of seen.tools.values())
        if (tool.status === 'in_progress' && !seen.interrupted)
          this.#fault(id, `tool ${tool.id} never ended`);
    }
    return this.faults;
  }

  #fault(about: string, words: string): void {
    this.faults.push(`${about}: ${words}`);
  }

  #take(text: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      this.faults.push('not JSON');
      return;
    }
    if (!isRecord(frame) || typeof frame.msg_id !== 'string' || !uuid.test(frame.msg_id)) {
      this.faults.push(`no UUID v4 as msg_id: ${text.slice(0, 200)}`);
      return;
    }
    this.#only(frame, ['msg_id', 'guid', 'user_id', 'method', 'payload'], 'envelope');
    const before = this.#texts.get(frame.msg_id);
    if (before !== undefined) {
      this.repeats += 1;
      if (before !== text) this.#fault(frame.msg_id, 'used for two different frames');
      return;
    }
    this.#texts.set(frame.msg_id, text);
    if (text !== text.toWellFormed() || /\\ud[89a-f]/i.test(text)) this.faults.push('half a character');
    if (frame.method === 'ping') this.pings.push(frame);
    else if (frame.method === 'session.update') this.#update(frame);
    else if (frame.method === 'session.promptResponse') this.#response(frame);
    else this.faults.push(`unknown method ${frame.method}`);
  }

  #about(frame: Json): { seen: PromptSeen; payload: Json } | undefined {
    const { payload } = frame;
    const seen = isRecord(payload) ? this.prompts.get(String(payload.prompt_id)) : undefined;
    if (!isRecord(payload) || !seen || payload.session_id !== seen.session) {
      this.faults.push(`about an unknown prompt: ${JSON.stringify(payload).slice(0, 200)}`);
      return undefined;
    }
    if (frame.guid !== (seen.frame.guid ?? undefined)) this.#fault(seen.id, `guid ${frame.guid}`);
    if (frame.user_id !== (seen.frame.user_id ?? undefined)) this.#fault(seen.id, `user_id ${frame.user_id}`);
    return { seen, payload };
  }

  #update(frame: Json): void {
    const { seen, payload } = this.#about(frame) ?? {};
    if (!seen || !payload) return;
    if (seen.response) this.#fault(seen.id, 'an update after the response');
    const type = String(payload.update_type);
    const field = type === 'message_chunk' ? 'content' : 'tool_call';
    this.#only(payload, ['session_id', 'prompt_id', 'update_type', field], seen.id);
    if (type === 'message_chunk') {
      const text = this.#block(payload.content, seen.id);
      if (text === '') this.#fault(seen.id, 'an empty chunk');
      seen.chunks.push(text);
      seen.order.push(type);
    } else if (type === 'tool_call' || type === 'tool_call_update') this.#tool(seen, type, payload.tool_call);
    else this.#fault(seen.id, `update_type ${type}`);
  }

  #tool(seen: PromptSeen, type: string, call: unknown): void {
    if (!isRecord(call) || typeof call.tool_call_id !== 'string' || typeof call.status !== 'string')
      return this.#fault(seen.id, 'a tool call without id or status');
    this.#only(call, ['tool_call_id', 'title', 'kind', 'status', 'content', 'locations'], seen.id);
    const { tool_call_id: id, status, kind, title, locations, content } = call;
    const known = seen.tools.get(id);
    if ((type === 'tool_call') === (known !== undefined)) this.#fault(seen.id, `${type} of ${id}`);
    if (type === 'tool_call' && status !== 'in_progress') this.#fault(seen.id, `began as ${status}`);
    if (known && known.status !== 'in_progress') this.#fault(seen.id, `${id} went on after ${known.status}`);
    if (!['pending', 'in_progress', 'completed', 'failed'].includes(status)) this.#fault(seen.id, status);
    if (!kinds.includes(String(kind))) this.#fault(seen.id, `kind ${kind}`);
    for (const block of Array.isArray(content) ? content : []) this.#block(block, seen.id);
    for (const place of Array.isArray(locations) ? locations : [])
      if (!isRecord(place) || !String(place.path).startsWith('/')) this.#fault(seen.id, 'no absolute path');
    seen.tools.set(id, { id, title, kind, status, locations, content });
    seen.order.push(`${type} ${id} ${status}`);
  }

  #response(frame: Json): void {
    const { seen, payload } = this.#about(frame) ?? {};
    if (!seen || !payload) return;
    if (seen.response) return this.#fault(seen.id, 'a second response');
    const { stop_reason, content, error } = payload;
    const fields: Record<string, string[]> = {
      end_turn: ['content'],
      cancelled: [],
      refusal: ['error'],
      error: ['error'],
    };
    const own = fields[String(stop_reason)];
    if (!own) return this.#fault(seen.id, `stop_reason ${stop_reason}`);
    this.#only(payload, ['session_id', 'prompt_id', 'stop_reason', ...own], seen.id);
    for (const field of own) if (!(field in payload)) this.#fault(seen.id, `no ${field}`);
    if (error !== undefined && (typeof error !== 'string' || error === '')) this.#fault(seen.id, 'error');
    if (content !== undefined && (!Array.isArray(content) || content.length === 0))
      this.#fault(seen.id, 'content');
    const blocks = Array.isArray(content) ? content.map((block) => this.#block(block, seen.id)) : undefined;
    seen.response = {
      stop_reason: String(stop_reason),
      msg_id: String(frame.msg_id),
      ...(blocks && { content: blocks.join('') }),
      ...(typeof error === 'string' && { error }),
    };
    seen.order.push(`response ${stop_reason}`);
  }

  #block(block: unknown, about: string): string {
    if (!isRecord(block) || block.type !== 'text' || typeof block.text !== 'string') {
      this.#fault(about, 'no text block');
      return '';
    }
    this.#only(block, ['type', 'text'], about);
    return block.text;
  }

  #only(value: Json, names: readonly string[], about: string): void {
    for (const name of Object.keys(value))
      if (!names.includes(name)) this.#fault(about, `field ${name} is not part of the protocol`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
