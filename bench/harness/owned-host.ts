// A host as it is shipped, with a program on its terminal. This process is its owner, without anything of the bridge.
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { sha256 } from '../../src/base/secret.ts';
import type { HostedSpec, HostFrame, OwnerFrame } from '../../src/protocol/wire/host.ts';
import { encodeHostFrame, type Framed, HostFrameReader } from '../../src/protocol/wire/host-codec.ts';
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
  readonly #path: string;
  readonly #waiting = new Map<string, (seen: Framed<HostFrame>) => void>();
  #socket: Socket | undefined;
  /** Bytes of output that were read. */
  read = 0;
  /** What hooks have to show. */
  readonly token = 'the-token-of-a-benchmark';
  /** Where hooks are posted. */
  url = '';

  private constructor(host: Program, path: string) {
    this.#host = host;
    this.#path = path;
  }

  /** Has `script` started by a host of its own. @param name of its folder */
  static async start({ home, env }: Place, name: string, script: string): Promise<OwnedHost> {
    const dir = await home.directory(name);
    const path = join(dir, 'host.sock');
    const owned = new OwnedHost(await Program.start([shipped.host, dir, name, path], env), path);
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
    const reader = new HostFrameReader<HostFrame>();
    const socket = connect(this.#path);
    socket.on('data', (chunk) => {
      for (const framed of reader.push(chunk)) this.#hear(framed);
    });
    this.#socket = socket;
    const hello = this.next('hello');
    this.say({ type: 'hello', versions: [1] });
    this.url = `http://127.0.0.1:${(await hello).frame.port}`;
  }

  /** Resolves when everything that was kept has come. */
  async attach(): Promise<void> {
    const attached = this.next('attached');
    this.say({ type: 'attach' });
    await attached;
  }

  say(frame: OwnerFrame, bytes?: Uint8Array): void {
    this.#socket?.write(encodeHostFrame(frame, bytes));
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
