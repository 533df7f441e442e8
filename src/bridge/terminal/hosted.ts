// A host, as its owner uses it: its program's terminal, and its hooks.
import { isAlive, isHeldUp, type ProcessIdentity } from '../../base/process/process-identity.ts';
import { sha256 } from '../../base/secret.ts';
import type { Clock } from '../../base/time/clock.ts';
import { sinceBoot } from '../../base/time/since-boot.ts';
import type { HostedSpec, HostFrame, OwnerFrame } from '../../protocol/wire/host.ts';
import type { Framed } from '../../protocol/wire/host-codec.ts';
import { HostLink } from './host-link.ts';
import type { HostAddress } from './host-proof.ts';
import { killHost } from './kill-host.ts';
import { LiveTerminal, type LiveTerminalOptions } from './live-terminal.ts';

/** What the program is started with. */
export interface TerminalSpec extends HostedSpec {
  cols: number;
  rows: number;
}

/** A hook as the host tells of it. */
export interface SeenHook {
  n: number;
  event: string;
  body: Buffer;
  /**
   * `none`: nobody waits for more than its arrival. `open`: it waits for an answer. `written`: it got one of an owner
   * before. `gone`: it waits no more, and got none.
   */
  request: 'none' | 'open' | 'written' | 'gone';
}

export interface HookEvents {
  came(hook: SeenHook): void;
  /** Its answer was handed to the system. */
  written(n: number): void;
  /** Whoever sent it hung up before its answer. */
  gone(n: number): void;
}

/** Until the program is there, ms. */
const startMs = 10_000;
/** For a host to end its program and itself, ms: it kills after 2 s. */
const quitMs = 5_000;

export class Hosted {
  readonly #link: HostLink;
  readonly #clock: Clock;
  readonly process: ProcessIdentity;
  readonly #started = Promise.withResolvers<number>();
  #terminal: LiveTerminal | undefined;
  #hooks: HookEvents | undefined;
  #unproven = (_count: number) => {};
  #quitting: Promise<void> | undefined;

  private constructor(link: HostLink, clock: Clock, process: ProcessIdentity) {
    this.#link = link;
    this.#clock = clock;
    this.process = process;
    // Whoever never starts anything does not wait for it.
    this.#started.promise.catch(() => {});
    link.listen((framed) => this.#hear(framed));
    void link.ended.then(() => this.#lost());
  }

  /** Becomes the owner of the host `process`, which listens at `address`. @throws Error in words, UnsafePathError */
  static async at(address: HostAddress, process: ProcessIdentity, clock: Clock): Promise<Hosted> {
    return new Hosted(await HostLink.to(address, clock, () => isHeldUp(process)), clock, process);
  }

  get hooksUrl(): string {
    return `http://127.0.0.1:${this.#link.hello.port}`;
  }

  /** Starts the program. @throws Error in words */
  async start({ cols, rows, ...spec }: TerminalSpec, token: string): Promise<LiveTerminal> {
    // Until somebody can go on with it.
    this.keep(0);
    const hosted: HostedSpec = spec;
    const head = { type: 'start', token: sha256(token).toString('hex'), cols, rows } as const;
    this.#send(head, Buffer.from(JSON.stringify(hosted)));
    const cancel = this.#clock.after(startMs, () => this.#failed(`nothing began within ${startMs / 1000} s`));
    try {
      const pid = await this.#started.promise;
      return this.#newTerminal({ pid, cols, rows }, false);
    } finally {
      cancel();
    }
  }

  /** The program of an owner before, which may have ended by now; undefined when there is none. */
  find(): { terminal: LiveTerminal; run: string; typed: string | undefined; token: string } | undefined {
    const { program, run, token } = this.#link.hello;
    if (!program || token === undefined) return undefined;
    return { terminal: this.#newTerminal(program, true), run, typed: program.typed, token };
  }

  attach(hooks: HookEvents, unproven = (_count: number) => {}): void {
    this.#hooks = hooks;
    this.#unproven = unproven;
    this.#send({ type: 'attach' });
  }

  get memo(): Uint8Array {
    return this.#link.memo;
  }

  remember(memo: Uint8Array): void {
    this.#send({ type: 'memo' }, memo);
  }

  notify(message: string, keep: boolean): void {
    this.#send({ type: 'notice', keep }, Buffer.from(message));
  }

  keep(ms: number): void {
    this.#send({ type: 'keep', ms });
  }

  lease(ms: number | undefined): void {
    this.#send(ms === undefined ? { type: 'lease' } : { type: 'lease', ms, at: sinceBoot() });
  }

  answer(n: number, body: string): void {
    this.#send({ type: 'answer', hook: n }, Buffer.from(body));
  }

  acknowledge(n: number): void {
    this.#send({ type: 'ack', through: n });
  }

  done(n: number): void {
    this.#send({ type: 'done', hook: n });
  }

  leave(): void {
    this.#hooks = undefined;
    this.#terminal?.leave();
    this.#link.close();
  }

  /**
   * Ends the host and its program. One that does not answer is killed: it must not go on beside a new one. Idempotent.
   * @param now at once, with everything below it, also where an orderly end is under way
   */
  quit(now = false): Promise<void> {
    if (now) this.#send({ type: 'quit', now });
    this.#quitting ??= this.#quit();
    return this.#quitting;
  }

  async #quit(): Promise<void> {
    this.#send({ type: 'quit' });
    const cancel = this.#clock.after(quitMs, () => {
      killHost(this.process);
      this.#link.close();
    });
    await this.#link.ended;
    cancel();
  }

  #newTerminal(program: LiveTerminalOptions['program'], isReplayed: boolean): LiveTerminal {
    const send = (frame: OwnerFrame, bytes?: Uint8Array) => this.#send(frame, bytes);
    const isHostAlive = () => isAlive(this.process);
    this.#terminal = new LiveTerminal({ clock: this.#clock, program, isReplayed, isHostAlive, send });
    return this.#terminal;
  }

  #send(frame: OwnerFrame, bytes?: Uint8Array): void {
    this.#link.send(frame, bytes);
  }

  #hear({ frame, bytes }: Framed<HostFrame>): void {
    switch (frame.type) {
      case 'started':
        return this.#started.resolve(frame.pid);
      case 'failed':
        return this.#failed(frame.words);
      case 'output':
        return this.#terminal?.drew(frame.at, bytes);
      case 'snapshot':
        return this.#terminal?.restored(frame, bytes);
      case 'attached':
        void this.#terminal?.attached();
        return;
      case 'exit':
        return this.#terminal?.exited(frame);
      case 'hook':
        return this.#hooks?.came({ n: frame.n, event: frame.event, body: bytes, request: requestOf(frame) });
      case 'closed':
        return frame.state === 'written' ? this.#hooks?.written(frame.hook) : this.#hooks?.gone(frame.hook);
      case 'unproven':
        return this.#unproven(frame.count);
      default:
        return;
    }
  }

  #failed(words: string): void {
    this.#started.reject(new Error(words));
  }

  /** It is gone, and its program's terminal with it. */
  #lost(): void {
    this.#failed('its host ended');
    this.#terminal?.lost();
  }
}

function requestOf({ kind, state }: HostFrame & { type: 'hook' }): SeenHook['request'] {
  if (kind === 'tell') return 'none';
  return state === 'alone' ? 'gone' : state;
}
