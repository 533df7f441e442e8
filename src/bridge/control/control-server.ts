// JSON-RPC 2.0, one message per line, on a local socket that only its owner may open: file permissions are the auth.
import { createServer, type Server } from 'node:net';
import type { Log } from '../../base/log.ts';
import { claimSocketPath } from '../../base/socket-path.ts';
import type { ControlHandlers } from './control-call.ts';
import { ControlConnection } from './control-connection.ts';

export class ControlServer {
  readonly #server: Server;
  readonly #connections = new Set<ControlConnection>();

  constructor(handlers: ControlHandlers, log: Log) {
    this.#server = createServer((socket) => {
      const connection = new ControlConnection(socket, handlers, log);
      this.#connections.add(connection);
      socket.on('close', () => this.#connections.delete(connection));
    });
  }

  /**
   * Listens at `path`, mode 0600, in a folder of mode 0700. A socket file that a killed bridge left behind is replaced.
   * @throws UnsafePathError when others could have made that folder, or can write there
   */
  async listen(path: string): Promise<void> {
    claimSocketPath(path);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    // The file is born private: no moment in which another user could open it.
    const mask = process.umask(0o177);
    this.#server.listen(path, resolve);
    process.umask(mask);
    await promise;
  }

  /** Hangs up on everybody; resolves when nobody is connected any more. */
  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}
