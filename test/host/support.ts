// A host in this process, and somebody who owns it.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newId } from '../../src/base/ids.ts';
import { HostProof } from '../../src/bridge/terminal/host-proof.ts';
import { Host, type HostOptions } from '../../src/host/host.ts';
import type { HostedSpec, HostFile, HostFrame, OwnerFrame } from '../../src/protocol/wire/host.ts';
import {
  encodeHostFrame,
  type Framed,
  type FrameSealer,
  HostFrameReader,
} from '../../src/protocol/wire/host-codec.ts';
import { until } from '../support/until.ts';

export const token = 'the-token-of-this-test';
export const digest = createHash('sha256').update(token).digest('hex');

/** Of every host here. */
export const secret = 'the-secret-of-this-test';

export interface TestFolder {
  dir: string;
  /** Of the host in it: no other one has it, or the end of that would end what runs here. */
  run: string;
  socket: string;
  secret: string;
  [Symbol.dispose](): void;
}

export function testFolder(): TestFolder {
  const dir = mkdtempSync(join(tmpdir(), 'host-'));
  return {
    dir,
    run: newId('r'),
    socket: join(dir, 'host.sock'),
    secret,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export interface TestHost extends TestFolder {
  host: Host;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function testHost(options: Partial<HostOptions> = {}): Promise<TestHost> {
  const folder = testFolder();
  const host = await Host.open({ ...folder, ...options });
  return {
    ...folder,
    host,
    async [Symbol.asyncDispose]() {
      await host.close();
      folder[Symbol.dispose]();
    },
  };
}

export const shell = (script: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      argv: ['/bin/sh', '-c', script],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    } satisfies HostedSpec),
  );

type Seen<T extends HostFrame['type']> = Framed<HostFrame & { type: T }>;

export class TestOwner {
  readonly seen: Framed<HostFrame>[] = [];
  readonly socket: Socket;
  isClosed = false;
  readonly #path: string;
  readonly #reader = new HostFrameReader<HostFrame>();
  #sealer: FrameSealer | undefined;

  constructor(path: string) {
    this.#path = path;
    this.socket = connect(path);
    this.socket.on('data', (chunk) => this.seen.push(...this.#reader.push(chunk)));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Proves itself to the host in the folder of this socket, and becomes the owner. */
  static async of(path: string): Promise<TestOwner> {
    const owner = await TestOwner.proven(path);
    await owner.next('hello');
    return owner;
  }

  /** Proves itself, and waits for nothing. */
  static async proven(path: string): Promise<TestOwner> {
    const owner = new TestOwner(path);
    await owner.prove();
    return owner;
  }

  async prove(): Promise<void> {
    const { run } = JSON.parse(readFileSync(join(dirname(this.#path), 'host.json'), 'utf8')) as HostFile;
    const proof = new HostProof({ run, secret, socket: this.#path });
    this.say(proof.hello);
    const { frame } = await this.next('challenge');
    const { answer, sealer, opener } = proof.hear(frame);
    this.say(answer);
    this.#sealer = sealer;
    this.#reader.openWith(opener);
    this.seen.length = 0;
  }

  /** Has the program started and sees it. */
  static async start(path: string, script: string): Promise<TestOwner> {
    const owner = await TestOwner.of(path);
    owner.say({ type: 'start', token: digest, cols: 80, rows: 24 }, shell(script));
    await owner.next('started');
    await owner.attach();
    return owner;
  }

  say(frame: OwnerFrame, bytes?: Uint8Array): void {
    this.socket.write(this.encoded(frame, bytes));
  }

  /** As it goes out, next. */
  encoded(frame: OwnerFrame, bytes?: Uint8Array): Buffer {
    return encodeHostFrame(frame, bytes, this.#sealer);
  }

  type(keys: string, id?: string): void {
    this.say({ type: 'input', ...(id !== undefined && { id }) }, Buffer.from(keys));
  }

  async attach(): Promise<void> {
    this.say({ type: 'attach' });
    await this.next('attached');
  }

  all<T extends HostFrame['type']>(type: T): Seen<T>[] {
    return this.seen.filter((each): each is Seen<T> => each.frame.type === type);
  }

  next<T extends HostFrame['type']>(
    type: T,
    fits: (seen: Seen<T>) => boolean = () => true,
  ): Promise<Seen<T>> {
    return until(type, () => this.all(type).find(fits));
  }

  get output(): string {
    return Buffer.concat(this.all('output').map(({ bytes }) => bytes)).toString();
  }

  shows(text: string): Promise<true> {
    return until(`${text} in the output`, () => this.output.includes(text));
  }

  gone(): Promise<true> {
    return until('the end of the connection', () => this.isClosed);
  }

  get port(): number {
    return this.all('hello')[0]?.frame.port ?? 0;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

export interface Posted {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

export interface Post {
  path: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** Rejects when the connection ends without an answer. */
export function post(port: number, { path, method = 'POST', headers, body = '{}', signal }: Post) {
  return new Promise<Posted>((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        signal,
        agent: false,
        headers: { authorization: `Bearer ${token}`, ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
