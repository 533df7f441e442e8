// JSON-RPC 2.0, one message per line, on a local socket that only its owner may open. What each caller may do there is told
// by where it comes from.
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../../base/log.ts';
import { IdleLimit } from '../../base/net/idle-limit.ts';
import { listenOn } from '../../base/net/local-server.ts';
import { claimSocketPath } from '../../base/net/socket-path.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { ControlHandlers } from './control-call.ts';
import { ControlConnection } from './control-connection.ts';
import type { Guard } from './guard.ts';

/** What clients that forgot to hang up may keep; `idle` is a connection on which no call runs. */
export interface ControlLimits {
  /** One more ends the one that has been idle longest, once it has had `graceMs` to call something. */
  idle: number;
  graceMs: number;
  /** Milliseconds without a byte after which an idle one is ended. */
  idleMs: number;
  /** One more is turned away. */
  connections: number;
}

const defaultLimits: ControlLimits = {
  idle: 64,
  graceMs: 1_000,
  idleMs: 10 * 60_000,
  connections: 512,
};

export class ControlServer {
  readonly #server: Server;
  readonly #connections = new Set<ControlConnection>();
  readonly #idle: IdleLimit<ControlConnection>;
  readonly #limits: ControlLimits;
  readonly #handlers: ControlHandlers;
  readonly #log: Log;

  /** @param guardFor stands before the calls of a connection that came by the socket */
  constructor(
    handlers: ControlHandlers,
    log: Log,
    guardFor: (socket: Socket) => Guard,
    limits: Partial<ControlLimits> = {},
  ) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#handlers = handlers;
    this.#log = log;
    const { idle: most, graceMs, connections: cap } = this.#limits;
    this.#idle = new IdleLimit({ most, graceMs, cap }, (connection) => connection.close(), systemClock);
    this.#server = createServer((socket) => {
      const connection = this.adopt(socket, guardFor(socket));
      socket.setTimeout(this.#limits.idleMs, () => {
        if (this.#idle.has(connection)) connection.close();
      });
    });
    this.#server.maxConnections = this.#limits.connections;
  }

  /** Serves a client, also one that came another way than by the socket: from another node of the cluster. */
  adopt(socket: Duplex, guard: Guard): ControlConnection {
    const connection = new ControlConnection(socket, this.#handlers, guard, this.#log, (idle) =>
      this.#turned(connection, idle),
    );
    this.#connections.add(connection);
    this.#turned(connection, true);
    socket.on('close', () => {
      this.#connections.delete(connection);
      this.#idle.delete(connection);
    });
    return connection;
  }

  #turned(connection: ControlConnection, idle: boolean): void {
    if (idle && this.#connections.has(connection)) this.#idle.add(connection);
    else this.#idle.delete(connection);
  }

  /**
   * Listens at `path`, mode 0600, in a folder of mode 0700. A socket file that a killed bridge left behind is replaced.
   * @throws UnsafePathError when others could have made that folder, or can write there
   */
  async listen(path: string): Promise<void> {
    claimSocketPath(path);
    // The file is born private: no moment in which another user could open it.
    const mask = process.umask(0o177);
    const listening = listenOn(this.#server, { path });
    process.umask(mask);
    await listening;
  }

  /** Hangs up on everybody; resolves when nobody is connected any more. */
  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#idle.close();
    await promise;
  }
}
