// Where the program's hooks are posted: one port on loopback. Who asks is checked before anything of a hook is read, and
// what it says is handed on unread.
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { checkOrigin } from '../base/guard.ts';
import { clientTimes, listenOn } from '../base/local-server.ts';
import { bearerOf, sha256 } from '../base/secret.ts';
import { Strangers } from '../base/strangers.ts';
import type { HookKind } from '../protocol/host.ts';
import type { HookSpool } from './hook-spool.ts';
import { readBody } from './read-body.ts';

/** Largest hook, bytes: one of Edit or Write carries the file before and after. */
const hookBytes = 8 * 1024 * 1024;
/** Hooks that may be under way at once, the held ones among them. Ten in parallel are usual. */
const mostHooks = 64;
/** Connections that have not shown a token. */
const mostStrangers = 64;

const place = /^\/hooks\/(tell|ask|hold)\/([A-Za-z]{1,40})$/;
const json = { 'content-type': 'application/json' };

export class HookDoor {
  readonly #spool: HookSpool;
  readonly #server: Server;
  readonly #strangers = new Strangers(mostStrangers);
  readonly #underWay = new Set<ServerResponse>();
  #digest: Buffer | undefined;

  private constructor(spool: HookSpool) {
    this.#spool = spool;
    this.#server = createServer(clientTimes, (request, response) => this.#take(request, response));
    this.#server.on('connection', (socket: Socket) => this.#strangers.add(socket));
    // Without a listener Node says more than is needed, and an `error` of the server itself would be thrown.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** @throws the system's error when there is no port */
  static async open(spool: HookSpool): Promise<HookDoor> {
    const door = new HookDoor(spool);
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
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => {});
    response.on('error', () => {});
    if (checkOrigin(request, this.port)) return refuse(response, 403);
    if (!this.#isAdmitted(request)) return refuse(response, 401);
    this.#strangers.proved(request.socket);
    const [, kind, event] = place.exec(request.url ?? '') ?? [];
    if (!kind || !event) return refuse(response, 404);
    if (request.method !== 'POST') return refuse(response, 405, { allow: 'POST' });
    if (this.#underWay.size >= mostHooks) return refuse(response, 429, { 'retry-after': '1' });
    if (this.#spool.full) return this.#lose(response);
    this.#underWay.add(response);
    response.once('close', () => this.#underWay.delete(response));
    readBody(request, {
      most: hookBytes,
      room: this.#spool,
      whole: (body) => this.#keep(kind as HookKind, event, body, response),
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

  #keep(kind: HookKind, event: string, body: Buffer, response: ServerResponse): void {
    const respond = (answer: Buffer) =>
      // Behind what the owner is sent of this hook: a client waits for its text, and Claude Code only goes on.
      process.nextTick(() => {
        response.writeHead(200, { ...json, 'content-length': answer.length });
        response.end(answer);
      });
    const n = this.#spool.add({ kind, event, body, respond });
    response.once('finish', () => this.#spool.written(n));
    response.once('close', () => this.#spool.gone(n));
    // It may have hung up with its last byte.
    if (response.destroyed) this.#spool.gone(n);
  }
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...json, ...headers });
  response.end('{}');
}
