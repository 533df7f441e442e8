// A host as it is shipped, with a program on its terminal. This process is its owner, with nothing of the bridge but its proof.
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { newToken } from '../../src/base/ids.ts';
import { sha256 } from '../../src/base/secret.ts';
import { HostProof } from '../../src/bridge/terminal/host-proof.ts';
import type { HostedSpec, HostFrame, HostOrder, OwnerFrame } from '../../src/protocol/wire/host.ts';
import {
  encodeHostFrame,
  type Framed,
  type FrameSealer,
  HostFrameReader,
} from '../../src/protocol/wire/host-codec.ts';
import { type Place, shipped } from './place.ts';
import { Program } from './program.ts';

type Seen<T extends HostFrame['type']> = Framed<HostFrame & { type: T }>;

export const size = { cols: 80, rows: 24 };

/** A shell script, as a program for a terminal. */
export const shell = (script: string): HostedSpec => ({
  argv: ['/bin/sh', '-c', script],
  env: { PATH: '/usr/bin:/bin' },
  cwd: '/',
});

export class OwnedHost implements AsyncDisposable {
  readonly #host: Program;
  readonly #order: HostOrder;
  readonly #waiting = new Map<string, (seen: Framed<HostFrame>) => void>();
  #socket: Socket | undefined;
  #sealer: FrameSealer | undefined;
  /** Bytes of output that were read. */
  read = 0;
  /** What hooks have to show. */
  readonly token = 'the-token-of-a-benchmark';
  /** Where hooks are posted. */
  url = '';

  private constructor(host: Program, order: HostOrder) {
    this.#host = host;
    this.#order = order;
  }

  /** Has `script` started by a host of its own. @param name of its folder */
  static async start({ home, env }: Place, name: string, script: string): Promise<OwnedHost> {
    const dir = await home.directory(name);
    const order = { dir, run: name, socket: join(dir, 'host.sock'), secret: newToken() };
    const host = await Program.start([shipped.host], env);
    await host.ask(order, 10_000, true);
    const owned = new OwnedHost(host, order);
    await owned.own();
    const started = owned.next('started');
    const token = sha256(owned.token).toString('hex');
    owned.say({ type: 'start', token, ...size }, Buffer.from(JSON.stringify(shell(script))));
    await started;
    return owned;
  }

  get pid(): number {
    return this.#host.pid;
  }

  /** Becomes the owner, anew. */
  async own(): Promise<void> {
    this.#socket?.destroy();
    this.#sealer = undefined;
    const reader = new HostFrameReader<HostFrame>();
    const socket = connect(this.#order.socket);
    const proof = new HostProof(this.#order);
    socket.on('data', (chunk) => {
      for (const framed of reader.push(chunk)) {
        if (this.#sealer) this.#hear(framed);
        else {
          const { answer, sealer, opener } = proof.hear(framed.frame);
          this.say(answer);
          this.#sealer = sealer;
          reader.openWith(opener);
        }
      }
    });
    this.#socket = socket;
    const hello = this.next('hello');
    this.say(proof.hello);
    this.url = `http://127.0.0.1:${(await hello).frame.port}`;
  }

  /** Resolves when everything that was kept has come. */
  async attach(): Promise<void> {
    const attached = this.next('attached');
    this.say({ type: 'attach' });
    await attached;
  }

  say(frame: OwnerFrame, bytes?: Uint8Array): void {
    this.#socket?.write(encodeHostFrame(frame, bytes, this.#sealer));
  }

  /** The next frame of this type; one wait for each type at a time. */
  next<T extends HostFrame['type']>(type: T): Promise<Seen<T>> {
    return new Promise((resolve) => this.#waiting.set(type, resolve as (seen: Framed<HostFrame>) => void));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.say({ type: 'quit' });
    await this.#host[Symbol.asyncDispose]();
    this.#socket?.destroy();
  }

  #hear(framed: Framed<HostFrame>): void {
    const { type } = framed.frame;
    if (type === 'output') this.read += framed.bytes.length;
    const resolve = this.#waiting.get(type);
    this.#waiting.delete(type);
    resolve?.(framed);
  }
}
