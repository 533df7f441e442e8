// OpenClaw's gateway as its clients see it (2026.9.6), strict: every request is checked by hand, without the project's
// own schemas. A request that the real one would refuse is refused, and is a line in `faults`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { lastingPort } from './lasting-port.ts';
import { until } from './until.ts';

type Json = Record<string, unknown>;
type Decision = 'allow-once' | 'allow-always' | 'deny';

/** One approval card as the people in the chat see it. */
export class Card {
  readonly id = `plugin:${randomUUID()}`;
  readonly request: Json;
  /** Null: it expired. */
  decision: Decision | null | undefined;
  /** `channel` when a button was pressed, else the name of the client. */
  resolvedBy: string | undefined;
  readonly over: Promise<void>;
  /** Somebody waits for its decision. */
  awaited = false;
  readonly #end = Promise.withResolvers<void>();

  constructor(request: Json) {
    this.request = request;
    this.over = this.#end.promise;
  }

  get title(): string {
    return String(this.request.title);
  }

  end(decision: Decision | null, by?: string): void {
    if (this.decision !== undefined) return;
    this.decision = decision;
    this.resolvedBy = by;
    this.#end.resolve();
  }
}

export interface Sent {
  channel: string;
  to: string;
  message: string;
  params: Json;
}

interface Invocation {
  headers: IncomingMessage['headers'];
  body: Json;
}

/** Fields that the real schemas know: an unknown one is refused there, too. */
const known: Record<string, string[]> = {
  connect: ['minProtocol', 'maxProtocol', 'client', 'role', 'scopes', 'auth'],
  'plugin.approval.request': [
    'pluginId',
    'title',
    'description',
    'toolName',
    'toolCallId',
    'allowedDecisions',
    'agentId',
    'sessionKey',
    'turnSourceChannel',
    'turnSourceTo',
    'turnSourceAccountId',
    'turnSourceThreadId',
    'timeoutMs',
    'twoPhase',
  ],
  'plugin.approval.waitDecision': ['id'],
  'plugin.approval.resolve': ['id', 'decision'],
  'plugin.approval.list': [],
  send: [
    'to',
    'message',
    'buffer',
    'filename',
    'channel',
    'accountId',
    'agentId',
    'threadId',
    'sessionKey',
    'idempotencyKey',
  ],
};

const isText = (value: unknown, most = Number.POSITIVE_INFINITY): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= most;

export class OpenClawGateway implements AsyncDisposable {
  readonly faults: string[] = [];
  readonly cards: Card[] = [];
  /** What reached a chat, repeats left out. */
  readonly sent: Sent[] = [];
  readonly invocations: Invocation[] = [];
  /** Tokens of every greeting. */
  readonly tokens: unknown[] = [];
  connections = 0;
  /** False: no chat could show a card. */
  routes = true;
  /** What happens to messages: they arrive, are refused, or arrive and the answer is lost. */
  sending: 'arrive' | 'refuse' | 'swallow answer' = 'arrive';
  /** Requests that the gateway takes and does not answer. */
  readonly mute = new Set<string>();
  /** Answer of `/tools/invoke`. */
  onInvoke: (body: Json) => { status: number; body: unknown } = () => ({
    status: 200,
    body: { ok: true, result: { content: [{ type: 'text', text: 'done' }] } },
  });
  token = 'gateway-token-of-the-test';
  #port = 0;
  #server: Server | undefined;
  #sockets = new Set<WebSocket>();
  #keys = new Map<string, Json>();

  static async start(): Promise<OpenClawGateway> {
    const gateway = new OpenClawGateway();
    await gateway.listen();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#invoke(request, response));
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      if (request.headers['sec-websocket-extensions']) this.faults.push('compression was offered');
      this.#accept(socket);
    });
    this.#port ||= await lastingPort();
    this.#server = server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
  }

  /** Connections break; the gateway itself goes on. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** It goes away, and with it every card and every key. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.cut();
    this.cards.length = 0;
    this.#keys.clear();
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  /** Waits for the card of a question, until its asker knows of it. */
  card(code: string): Promise<Card> {
    return until(`the card of ${code}`, () =>
      this.cards.find(({ title, awaited }) => awaited && title.includes(code)),
    );
  }

  /** Waits until a chat was told something. */
  told(text: string): Promise<Sent> {
    return until(`"${text}" in ${JSON.stringify(this.sent)}`, () =>
      this.sent.find(({ message }) => message.includes(text)),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(socket: WebSocket): void {
    this.#sockets.add(socket);
    let greeted = false;
    const ids = new Set<string>();
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data, binary) => {
      const frame = binary ? undefined : (JSON.parse(data.toString()) as Json);
      const { type, id, method, params } = frame ?? {};
      if (type !== 'req' || !isText(id) || !isText(method) || ids.has(id) || typeof params !== 'object')
        return this.faults.push(`no request: ${data.toString().slice(0, 200)}`);
      ids.add(id);
      const extra = Object.keys(frame ?? {}).filter(
        (key) => !['type', 'id', 'method', 'params'].includes(key),
      );
      if (extra.length > 0) this.faults.push(`unknown fields of a request: ${extra.join()}`);
      const answer = (ok: boolean, body: unknown) => {
        const frame = { type: 'res', id, ok, [ok ? 'payload' : 'error']: body };
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
      };
      const refuse = (message: string) => answer(false, { code: 'INVALID_REQUEST', message });
      if (!greeted) {
        greeted = method === 'connect' && this.#greet(params as Json, answer);
        if (!greeted) socket.close(1008, 'unauthorized');
        return;
      }
      if (this.mute.has(method)) return;
      const wrong = this.#unknownFields(method, params as Json);
      if (wrong) {
        this.faults.push(wrong);
        return refuse(wrong);
      }
      void this.#do(method, params as Json, (payload) => answer(true, payload), refuse);
    });
    const challenge = { nonce: randomUUID(), ts: Date.now() };
    socket.send(JSON.stringify({ type: 'event', event: 'connect.challenge', payload: challenge }));
  }

  #greet(params: Json, answer: (ok: boolean, body: unknown) => void): boolean {
    const { client, auth, minProtocol, maxProtocol, role, scopes } = params as Record<string, Json>;
    const fits =
      Number(minProtocol) <= 4 &&
      Number(maxProtocol) >= 4 &&
      client?.id === 'gateway-client' &&
      client.mode === 'backend' &&
      isText(client.version) &&
      isText(client.platform) &&
      (role as unknown) === 'operator' &&
      Array.isArray(scopes);
    if (!fits) this.faults.push(`a greeting that does not fit: ${JSON.stringify(params)}`);
    this.tokens.push(auth?.token);
    if (auth?.token !== this.token) {
      const message = 'unauthorized: gateway token mismatch';
      answer(false, { code: 'INVALID_REQUEST', message, details: { code: 'AUTH_TOKEN_MISMATCH' } });
      return false;
    }
    this.connections += 1;
    answer(true, { type: 'hello-ok', protocol: 4, server: { version: '2026.9.6', connId: randomUUID() } });
    return true;
  }

  #unknownFields(method: string, params: Json): string | undefined {
    const fields = known[method];
    if (!fields) return `unknown method ${method}`;
    const extra = Object.keys(params).filter((key) => !fields.includes(key));
    return extra.length > 0 ? `invalid ${method} params: unexpected ${extra.join()}` : undefined;
  }

  async #do(
    method: string,
    params: Json,
    done: (payload: unknown) => void,
    refuse: (message: string) => void,
  ): Promise<void> {
    const card = this.cards.find(({ id }) => id === params.id);
    switch (method) {
      case 'plugin.approval.request':
        return this.#request(params, done, refuse);
      case 'plugin.approval.waitDecision':
        if (!card) return refuse('approval expired or not found');
        card.awaited = true;
        await card.over;
        return done({ id: card.id, decision: card.decision });
      case 'plugin.approval.list':
        return done(
          this.cards
            .filter(({ decision }) => decision === undefined)
            .map(({ id, request }) => ({
              id,
              request,
              approvalKind: 'plugin',
              createdAtMs: 1,
              expiresAtMs: 2,
            })),
        );
      case 'plugin.approval.resolve': {
        const decision = params.decision as Decision;
        if (!card) return refuse('unknown or expired approval id');
        if (card.decision !== undefined && card.decision !== decision)
          return refuse('approval already resolved');
        card.end(decision, 'synthesis');
        return done({ ok: true });
      }
      case 'send':
        return this.#send(params, done, refuse);
    }
  }

  async #request(
    params: Json,
    done: (payload: unknown) => void,
    refuse: (message: string) => void,
  ): Promise<void> {
    const { title, description, timeoutMs, twoPhase, allowedDecisions } = params;
    const fits =
      isText(title, 80) &&
      isText(description, 512) &&
      Number.isInteger(timeoutMs) &&
      Number(timeoutMs) >= 1 &&
      Number(timeoutMs) <= 600_000 &&
      Array.isArray(allowedDecisions);
    if (!fits) {
      this.faults.push(`a card that does not fit: ${JSON.stringify(params)}`);
      return refuse('invalid plugin.approval.request params');
    }
    const card = new Card(params);
    if (!this.routes) return done({ id: card.id, decision: null, createdAtMs: 1, expiresAtMs: 2 });
    this.cards.push(card);
    if (twoPhase) done({ status: 'accepted', id: card.id, deliveryRoute: 'forwarder', expiresAtMs: 2 });
    await card.over;
    // The real one answers the request a second time.
    done({ id: card.id, decision: card.decision, createdAtMs: 1, expiresAtMs: 2 });
  }

  #send(params: Json, done: (payload: unknown) => void, refuse: (message: string) => void): void {
    const { channel, to, message = '', idempotencyKey } = params;
    if (!isText(channel) || !isText(to) || !isText(idempotencyKey) || (!message && !params.buffer)) {
      this.faults.push(`a message that does not fit: ${JSON.stringify(params)}`);
      return refuse('invalid send params');
    }
    if (this.sending === 'refuse') return refuse('chat not found');
    const before = this.#keys.get(idempotencyKey);
    this.#keys.set(idempotencyKey, params);
    if (!before) this.sent.push({ channel, to, message: String(message), params });
    if (this.sending !== 'swallow answer') done({ runId: idempotencyKey, messageId: '1', channel });
  }

  async #invoke(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST' || request.url !== '/tools/invoke') return void reply(404, {});
    if (request.headers.authorization !== `Bearer ${this.token}`)
      return void reply(401, { error: { message: 'Unauthorized', type: 'unauthorized' } });
    const body = (await json(request)) as Json;
    this.invocations.push({ headers: request.headers, body });
    const answer = this.onInvoke(body);
    reply(answer.status, answer.body);
  }
}
