// Where the program's hooks are posted, and what its MCP client says: one port on loopback. Who asks is checked before
// anything is read, and what it says is handed on unread.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { checkOrigin } from '../../base/net/guard.ts';
import { clientTimes, listenOn } from '../../base/net/local-server.ts';
import { Strangers } from '../../base/net/strangers.ts';
import { bearerOf, sha256 } from '../../base/secret.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type HookKind, mcpEvent } from '../../protocol/wire/host.ts';
import { Notices } from '../notices.ts';
import type { Hook, HookSpool } from './hook-spool.ts';
import { lateAnswer } from './late-answer.ts';
import { readBody } from './read-body.ts';

/** Largest hook, bytes: one of Edit or Write carries the file before and after. */
const hookBytes = 8 * 1024 * 1024;
/** Hooks that may be under way at once, the held ones among them. Ten in parallel are usual. */
const mostHooks = 64;
/** Messages of its MCP client that may be under way beside them: a call of a tool may take hours. */
const mostMessages = 64;
/** Streams on which it hears notices: it opens one. */
const mostListeners = 4;
/** Connections that have not shown a token. They are of this machine alone, and there is one such door for each Claude. */
const strangerLimits = { most: 64, graceMs: 1_000, cap: 1_024 };

const place = /^\/hooks\/(tell|ask|hold)\/([A-Za-z]{1,40})$/;
const json = { 'content-type': 'application/json' };

export class HookDoor {
  readonly #spool: HookSpool;
  readonly #server: Server;
  readonly #strangers: Strangers;
  readonly #underWay = new Set<ServerResponse>();
  readonly #messages = new Set<ServerResponse>();
  readonly #listeners = new Set<ServerResponse>();
  readonly #clock: Clock;
  /** What its MCP client is told without having asked. */
  readonly notices: Notices;
  #digest: Buffer | undefined;

  private constructor(spool: HookSpool, clock: Clock) {
    this.#spool = spool;
    this.#clock = clock;
    this.notices = new Notices(clock);
    this.#strangers = new Strangers(strangerLimits, clock);
    this.#server = createServer(clientTimes, (request, response) => this.#take(request, response));
    this.#server.on('connection', (socket: Socket) => this.#strangers.add(socket));
    // Without a listener Node says more than is needed, and an `error` of the server itself would be thrown.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** @throws the system's error when there is no port */
  static async open(spool: HookSpool, clock: Clock): Promise<HookDoor> {
    const door = new HookDoor(spool, clock);
    await listenOn(door.#server, { port: 0, host: '127.0.0.1' });
    return door;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** From now on whoever shows the token with this SHA-256, in hex, is let in. Nobody is before. */
  admit(digest: string): void {
    this.#digest = Buffer.from(digest, 'hex');
  }

  /** Ends every request that is open. Idempotent. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
      this.#strangers.close();
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => {});
    response.on('error', () => {});
    if (checkOrigin(request, this.port)) return refuse(response, 403);
    if (!this.#isAdmitted(request)) return refuse(response, 401);
    this.#strangers.proved(request.socket);
    if (request.url === '/mcp') return this.#mcp(request, response);
    const [, kind, event] = place.exec(request.url ?? '') ?? [];
    if (!kind || !event) return refuse(response, 404);
    if (request.method !== 'POST') return refuse(response, 405, { allow: 'POST' });
    if (!enter(this.#underWay, response, mostHooks)) return;
    this.#read(request, response, (body) => {
      const respond = (answer: Buffer) => {
        response.writeHead(200, { ...json, 'content-length': answer.length });
        response.end(answer);
      };
      this.#keep({ kind: kind as HookKind, event, body, respond }, response);
    });
  }

  /** MCP's streamable HTTP, without sessions: a message and its answer, or a stream of notices. */
  #mcp(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET') {
      if (enter(this.#listeners, response, mostListeners)) this.notices.listen(response);
      return;
    }
    if (request.method !== 'POST') return refuse(response, 405, { allow: 'GET, POST' });
    if (!enter(this.#messages, response, mostMessages)) return;
    this.#read(request, response, (body) => {
      const respond = lateAnswer(response, this.#clock);
      this.#keep({ kind: 'hold', event: mcpEvent, body, respond }, response);
    });
  }

  #read(request: IncomingMessage, response: ServerResponse, whole: (body: Buffer) => void): void {
    if (this.#spool.full) return this.#lose(response);
    readBody(request, {
      most: hookBytes,
      room: this.#spool,
      whole,
      // What is left of it is not waited for.
      long: () => refuse(response, 413, { connection: 'close' }),
      full: () => this.#lose(response),
    });
  }

  #lose(response: ServerResponse): void {
    this.#spool.refused();
    refuse(response, 503);
  }

  /** Digests are compared, also without a token: the time tells nothing. */
  #isAdmitted({ headers }: IncomingMessage): boolean {
    const token = bearerOf(headers.authorization);
    const equal = timingSafeEqual(this.#digest ?? Buffer.alloc(32), sha256(token ?? ''));
    return equal && token !== undefined && this.#digest !== undefined;
  }

  #keep({ respond, ...hook }: Hook, response: ServerResponse): void {
    // Behind what the owner is sent of this hook: a client waits for its text, and Claude Code only goes on.
    const n = this.#spool.add({ ...hook, respond: (answer) => process.nextTick(() => respond(answer)) });
    response.once('finish', () => this.#spool.written(n));
    response.once('close', () => this.#spool.gone(n));
    // It may have hung up with its last byte.
    if (response.destroyed) this.#spool.gone(n);
  }
}

/** @returns false when there are too many, which it is told */
function enter(underWay: Set<ServerResponse>, response: ServerResponse, most: number): boolean {
  if (underWay.size >= most) {
    refuse(response, 429, { 'retry-after': '1' });
    return false;
  }
  underWay.add(response);
  response.once('close', () => underWay.delete(response));
  return true;
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...json, ...headers });
  response.end('{}');
}
