// One port on loopback. Who asks is checked before anything is parsed; what is served is registered by the adapters.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { checkOrigin, type Refusal } from '../../base/net/guard.ts';
import type { IdleLimits } from '../../base/net/idle-limit.ts';
import { clientTimes, listenOn } from '../../base/net/local-server.ts';
import { Strangers } from '../../base/net/strangers.ts';
import { mostOpenFiles } from '../../base/process/open-files.ts';
import { systemClock } from '../../base/time/clock.ts';
import { type Answer, Routes } from './routes.ts';

/**
 * Connections that have not shown a token. One that says nothing takes 14 KiB, one with headers that do not end 30 at most
 * (measured on Node 24.21); a thousand that come at once are heard within a fraction of the grace.
 */
const strangerLimits = { most: 64, graceMs: 1_000, cap: 4_096 };
/** Of the files and sockets that this process may have open, strangers get so much. */
const strangerShare = 1 / 4;

export interface HttpServerOptions {
  /** Largest WebSocket message, bytes. */
  frameBytes: number;
  /** What a refused request is answered with, where these are served. */
  refuse(refusal: Refusal, request: IncomingMessage, routes: Routes): Answer;
  /** What a request is answered with whose handler threw. */
  failed(error: unknown, request: IncomingMessage): Answer;
  /** Path → what takes the accepted WebSocket, and calls `proved` once it has shown a token. */
  sockets: Record<string, (socket: WebSocket, proved: () => void) => void>;
  limits?: Partial<ConnectionLimits>;
}

/** What may differ from {@link clientTimes}. */
export interface ConnectionLimits {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
  /** Connections that have not shown a token. */
  strangers: Partial<IdleLimits>;
}

export interface HttpServer {
  routes: Routes;
  /** This connection showed a token that fits. */
  proved(socket: Socket): void;
  /** Serves a connection that came another way than by the port. Whoever is on it has shown elsewhere who they are. */
  adopt(connection: Duplex): void;
  /** Whether it came that way. */
  isAdopted(socket: Duplex): boolean;
  /** @returns the port. @throws the system's error, e.g. code EADDRINUSE. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { strangers: limits, ...times } = options.limits ?? {};
  const routes = new Routes();
  const cap = Math.min(strangerLimits.cap, mostOpenFiles() * strangerShare);
  const strangers = new Strangers({ ...strangerLimits, cap, ...limits }, systemClock);
  const adopted = new WeakSet<Duplex>();
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.frameBytes,
  });
  const server = createServer(
    { ...clientTimes, ...times },
    (request, response) => void take(request, response),
  );
  const port = () => (server.address() as AddressInfo | null)?.port ?? 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await answerTo(request, response).catch((error: unknown) =>
      options.failed(error, request),
    );
    if (answer && response.headersSent) response.destroy();
    else if (answer) send(response, answer);
  }

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const refusal = adopted.has(request.socket) ? undefined : checkOrigin(request, port());
    if (refusal) return options.refuse(refusal, request, routes);
    const found = routes.find(request);
    if (!found) return options.refuse('path', request, routes);
    return found.handler({ request, response, params: found.params, query: found.query });
  }

  server.on('connection', (socket: Socket) => {
    if (!adopted.has(socket)) strangers.add(socket);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const accept = Object.hasOwn(options.sockets, path) ? options.sockets[path] : undefined;
    const refusal = checkOrigin(request, port());
    if (refusal || !accept) {
      const { status } = options.refuse(refusal ?? 'path', request, routes);
      socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (accepted) =>
      accept(accepted, () => strangers.proved(request.socket)),
    );
  });

  return {
    routes,
    proved: (socket) => strangers.proved(socket),
    adopt: (connection) => {
      adopted.add(connection);
      server.emit('connection', connection);
    },
    isAdopted: (socket) => adopted.has(socket),
    async listen(wanted) {
      await listenOn(server, { port: wanted, host: '127.0.0.1' });
      return port();
    },
    close() {
      for (const client of webSockets.clients) client.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        strangers.close();
      });
    },
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
