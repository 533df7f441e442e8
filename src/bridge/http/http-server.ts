// One port on loopback. Who asks is checked before anything is parsed; what is served is registered by the adapters.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { checkOrigin, type Refusal } from '../../base/guard.ts';
import { Strangers } from '../../base/strangers.ts';
import { type Answer, Routes } from './routes.ts';

export interface HttpServerOptions {
  /** Largest WebSocket message, bytes. */
  frameBytes: number;
  /** What a refused request is answered with. */
  refuse(refusal: Refusal, request: IncomingMessage): Answer;
  /** What a request is answered with whose handler threw. */
  failed(error: unknown, request: IncomingMessage): Answer;
  /** Path → what takes the accepted WebSocket, and calls `proved` once it has shown a token. */
  sockets: Record<string, (socket: WebSocket, proved: () => void) => void>;
  limits?: Partial<ConnectionLimits>;
}

/** What a client may take its time for; ms where not said otherwise. A response may last as long as it likes. */
export interface ConnectionLimits {
  /** From the start of a request to the end of its headers; a connection that says nothing counts. */
  headersMs: number;
  /** From the start of a request to the end of its body. */
  requestMs: number;
  /** How often the two above are looked at. */
  lookMs: number;
  /** Connections that have not shown a token. */
  strangers: number;
}

const defaultLimits: ConnectionLimits = {
  headersMs: 5_000,
  requestMs: 30_000,
  // Node looks every 30 s, which would make 35 s of 5.
  lookMs: 1_000,
  strangers: 64,
};

export interface HttpServer {
  routes: Routes;
  /** This connection showed a token that fits. */
  proved(socket: Socket): void;
  /** @returns the port. @throws the system's error, e.g. code EADDRINUSE. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...defaultLimits, ...options.limits };
  const routes = new Routes();
  const strangers = new Strangers(limits.strangers);
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.frameBytes,
  });
  const times = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.lookMs,
    // Idle connections live between turns; Node's 5 s would reset them in the middle of one.
    keepAliveTimeout: 75_000,
  };
  const server = createServer(times, (request, response) => void take(request, response));
  const port = () => (server.address() as AddressInfo | null)?.port ?? 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    const answer = await answerTo(request, response);
    if (answer && response.headersSent) response.destroy();
    else if (answer) send(response, answer);
  }

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const refusal = checkOrigin(request, port());
    if (refusal) return options.refuse(refusal, request);
    const found = routes.find(request);
    if (!found) return options.refuse('path', request);
    try {
      return await found.handler({ request, response, params: found.params, query: found.query });
    } catch (error) {
      return options.failed(error, request);
    }
  }

  server.on('connection', (socket: Socket) => strangers.add(socket));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const accept = Object.hasOwn(options.sockets, path) ? options.sockets[path] : undefined;
    const refusal = checkOrigin(request, port());
    if (refusal || !accept) {
      const { status } = options.refuse(refusal ?? 'path', request);
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
    async listen(wanted) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(wanted, '127.0.0.1', () => {
          server.off('error', reject);
          // Such as a connection that could not be accepted: its client sees that by itself.
          server.on('error', () => {});
          resolve();
        });
      });
      return port();
    },
    close() {
      for (const client of webSockets.clients) client.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
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
