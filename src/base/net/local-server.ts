// What the servers have in common that only programs of this machine reach.
import * as net from 'node:net';

/** What a client of an HTTP server may take its time for, ms. A response may last as long as it likes. */
export const clientTimes = {
  /** From the start of a request to the end of its headers; a connection that says nothing counts. */
  headersTimeout: 5_000,
  /** From the start of a request to the end of its body. */
  requestTimeout: 30_000,
  /** How often the two above are looked at. Node looks every 30 s, which would make 35 s of 5. */
  connectionsCheckingInterval: 1_000,
  /** Idle connections live between turns; Node's 5 s would reset them in the middle of one. */
  keepAliveTimeout: 75_000,
};

/**
 * Connections that may wait to be accepted; the system has a limit of its own, 4,096 on Linux. One more is refused for a
 * second by TCP, and at once by a socket of the file system.
 */
const backlog = 2_048;

/**
 * Calls `listen` at once, and resolves when the server does. Its later errors, such as a connection that could not be
 * accepted, end nothing: a client sees that by itself.
 * @throws the system's error, e.g. code EADDRINUSE
 */
export function listenOn(server: net.Server, where: net.ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // What is bound already has no options, so that it is said once more.
    server.listen({ backlog, ...boundAt(where) }, backlog, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve();
    });
  });
}

/**
 * For an address Node asks its resolver and then tries its pattern of IPv6, which is 4 ms of every start (measured on Node
 * 24.21). What is bound already it takes as it is; an older Node 24 has no such sockets.
 */
function boundAt(where: net.ListenOptions): net.ListenOptions {
  const { port, host } = where;
  if (host === undefined || net.BoundSocket === undefined) return where;
  return { handle: new net.BoundSocket({ port, host }) };
}
