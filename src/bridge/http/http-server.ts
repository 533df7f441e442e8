// One port on loopback. Who asks is checked before anything is parsed; what is served is registered by the adapters.
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { checkOrigin, type Refusal } from './guard.ts';

export interface HttpServerOptions {
  /** Largest request body, bytes. */
  bodyBytes: number;
  /** Largest WebSocket message, bytes. */
  frameBytes: number;
  /** What a refused request is answered with. */
  refuse(refusal: Refusal): { status: number; body: unknown };
  /** Path → what takes the accepted WebSocket. */
  sockets: Record<string, (socket: WebSocket) => void>;
}

export interface HttpServer {
  app: FastifyInstance;
  /** @returns the port. @throws the system's error, e.g. code EADDRINUSE. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const app = Fastify({
    bodyLimit: options.bodyBytes,
    // Idle hook connections live between turns; Node's 5 s would reset them in the middle of one.
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    http: { headersTimeout: 10_000 },
    forceCloseConnections: true,
    logger: false,
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: options.frameBytes,
  });
  const port = () => (app.server.address() as AddressInfo | null)?.port ?? 0;

  app.addHook('onRequest', async (request, reply) => {
    const refusal = checkOrigin(request.headers, port());
    if (!refusal) return;
    const { status, body } = options.refuse(refusal);
    await reply.code(status).send(body);
  });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const accept = Object.hasOwn(options.sockets, path) ? options.sockets[path] : undefined;
    const refusal = checkOrigin(request.headers, port());
    if (refusal || !accept) {
      const status = refusal ? options.refuse(refusal).status : 404;
      socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    webSockets.handleUpgrade(request, socket, head, accept);
  });

  return {
    app,
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
