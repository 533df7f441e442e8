// One port on loopback. Who asks is checked before anything is parsed; what is served is registered by the adapters.
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { checkOrigin, type Refusal } from '../../base/guard.ts';
import { Strangers } from '../../base/strangers.ts';

export interface HttpServerOptions {
  /** Largest request body where a route does not say otherwise, bytes. */
  bodyBytes: number;
  /** Largest WebSocket message, bytes. */
  frameBytes: number;
  /** What a refused request is answered with. */
  refuse(
    refusal: Refusal,
    request: IncomingMessage,
  ): { status: number; headers: Record<string, string>; body: unknown };
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
  lookMs: 1_000,
  strangers: 64,
};

export interface HttpServer {
  app: FastifyInstance;
  /** This connection showed a token that fits. */
  proved(socket: Socket): void;
  /** @returns the port. @throws the system's error, e.g. code EADDRINUSE. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...defaultLimits, ...options.limits };
  const app = Fastify({
    bodyLimit: options.bodyBytes,
    // Idle hook connections live between turns; Node's 5 s would reset them in the middle of one.
    keepAliveTimeout: 75_000,
    requestTimeout: limits.requestMs,
    // Node looks every 30 s, which would make 35 s of 5.
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.lookMs },
    forceCloseConnections: true,
    logger: false,
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.frameBytes,
  });
  const strangers = new Strangers(limits.strangers);
  const port = () => (app.server.address() as AddressInfo | null)?.port ?? 0;

  app.server.on('connection', (socket: Socket) => strangers.add(socket));
  app.addHook('onRequest', async (request, reply) => {
    // A path that is not served is refused here, too: Fastify would read and parse the body first.
    const refusal = checkOrigin(request.raw, port()) ?? (request.is404 ? 'path' : undefined);
    if (!refusal) return;
    const { status, headers, body } = options.refuse(refusal, request.raw);
    await reply.code(status).headers(headers).send(body);
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
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
    app,
    proved: (socket) => strangers.proved(socket),
    async listen(wanted) {
      await app.listen({ host: '127.0.0.1', port: wanted });
      return port();
    },
    async close() {
      for (const client of webSockets.clients) client.terminate();
      await app.close();
    },
  };
}
