// The network between one machine and the nats-servers: it can be cut, or fall silent, and be whole again.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type State = 'whole' | 'cut' | 'silent';

export class Cable implements AsyncDisposable {
  readonly #doors: Server[];
  /** The other end of each socket. */
  readonly #peers = new Map<Socket, Socket>();
  #state: State = 'whole';

  private constructor(ports: readonly number[]) {
    this.#doors = ports.map((port) =>
      createServer({ pauseOnConnect: true }, (near) => this.#join(near, port)).listen(0, '127.0.0.1'),
    );
  }

  /** @param ports of the servers on loopback */
  static async to(ports: readonly number[]): Promise<Cable> {
    const cable = new Cable(ports);
    await Promise.all(cable.#doors.map((door) => once(door, 'listening')));
    return cable;
  }

  /** Where the machine finds the servers. */
  get urls(): string[] {
    return this.#doors.map((door) => `nats://127.0.0.1:${(door.address() as AddressInfo).port}`);
  }

  /** Connections end, and none comes about. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#peers.keys()) socket.destroy();
  }

  /** Nobody is told, and nothing passes: what is sent meanwhile arrives when it is whole again. */
  silence(): void {
    this.#state = 'silent';
    for (const socket of this.#peers.keys()) socket.pause();
  }

  heal(): void {
    this.#state = 'whole';
    for (const [from, to] of this.#peers)
      if (from.destroyed) this.#part(from, to);
      else from.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await Promise.all(this.#doors.map((door) => new Promise((resolve) => door.close(resolve))));
  }

  #join(near: Socket, port: number): void {
    if (this.#state === 'cut') return void near.destroy();
    const far = connect(port, '127.0.0.1');
    this.#pass(near, far);
    this.#pass(far, near);
  }

  #pass(from: Socket, to: Socket): void {
    this.#peers.set(from, to);
    from.on('data', (bytes) => to.write(bytes)).on('end', () => to.end());
    from.on('error', () => {});
    // Who hangs up in the silence is heard of when it is over.
    from.on('close', () => {
      if (this.#state !== 'silent') this.#part(from, to);
    });
    if (this.#state === 'silent') from.pause();
    else from.resume();
  }

  #part(from: Socket, to: Socket): void {
    this.#peers.delete(from);
    to.destroy();
  }
}
