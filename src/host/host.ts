// One program on a terminal, the door of its hooks, and a socket for whoever owns them now. It outlives its owners, and
// ends when there is nothing left to stay for.
import { isClosedDirectory } from '../base/files/own-path.ts';
import { identityOf } from '../base/process/process-identity.ts';
import { runMark, runVariable } from '../base/process/run-mark.ts';
import { type Clock, systemClock } from '../base/time/clock.ts';
import { sinceBoot } from '../base/time/since-boot.ts';
import type { HostExit, HostFrame, OwnerFrame } from '../protocol/wire/host.ts';
import type { Framed } from '../protocol/wire/host-codec.ts';
import { HookDoor } from './hooks/hook-door.ts';
import { HookSpool } from './hooks/hook-spool.ts';
import { WrittenHostFile } from './host-file.ts';
import { Lease } from './lease.ts';
import { Lifetime } from './lifetime.ts';
import { act } from './owner/owner-acts.ts';
import { OwnerDoor } from './owner/owner-door.ts';
import type { OwnerLink } from './owner/owner-link.ts';
import { endProgram } from './program/end-program.ts';
import { readHostedSpec } from './program/hosted-spec.ts';
import type { Offspring } from './program/offspring.ts';
import { Program } from './program/program.ts';

/** What an owner may leave unread before the program has to wait, bytes. */
const mostUnsent = 1024 * 1024;
/** Longest memo, bytes. */
const longestMemo = 64 * 1024;
/** For last words to an owner, ms. */
const goodbyeMs = 500;

/** How a program is ended: what it is sent, and when it is killed, ms. */
const asOrphan = { signals: ['SIGHUP', 'SIGTERM'], killMs: 5_000 } as const;
const byOwner = { signals: ['SIGTERM'], killMs: 2_000 } as const;
const atOnce = { signals: ['SIGKILL'], killMs: 0 } as const;

export interface HostOptions {
  /** The session's folder: there, and this user's alone. */
  dir: string;
  /** Names this host, for ever. */
  run: string;
  /** Path of the socket. */
  socket: string;
  /** What owners have to know. */
  secret: string;
  clock?: Clock;
  /** What a lease goes by; `sinceBoot` when left out. */
  uptime?(): number;
  /** What is kept of hooks, bytes. */
  keptBytes?: number;
  /** What runs below this process; left out where more than one host runs in it. */
  offspring?: Pick<Offspring, 'program' | 'end' | 'hasConnected'>;
}

export class Host {
  /** Resolves when the program has ended and everything of the host is closed. */
  readonly closed: Promise<void>;
  readonly #run: string;
  readonly #mark: string;
  readonly #offspring: HostOptions['offspring'];
  readonly #clock: Clock;
  readonly #spool: HookSpool;
  readonly #lifetime: Lifetime;
  readonly #lease: Lease;
  readonly #setClosed: () => void;
  #hooks: HookDoor | undefined;
  #owners: OwnerDoor | undefined;
  #file: WrittenHostFile | undefined;
  #program: Program | undefined;
  #token: string | undefined;
  #memo = Buffer.alloc(0);
  #owner: OwnerLink | undefined;
  #isAttached = false;
  #isEnding = false;
  /** What was ended besides the program, each by its command. */
  readonly #swept: string[] = [];

  private constructor(options: HostOptions) {
    const { dir, run, clock = systemClock, uptime = sinceBoot, keptBytes, offspring } = options;
    this.#run = run;
    this.#mark = runMark(dir, run);
    this.#offspring = offspring;
    this.#clock = clock;
    this.#spool = new HookSpool(keptBytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#setClosed = resolve;
    this.#lifetime = new Lifetime(clock, () => void this.#end(asOrphan));
    this.#lease = new Lease({ clock, uptime, over: () => void this.#end(byOwner) });
  }

  /** Resolves once it can be found and reached. @throws UnsafePathError, or the system's error */
  static async open(options: HostOptions): Promise<Host> {
    const host = new Host(options);
    try {
      await host.#open(options);
      return host;
    } catch (error) {
      host.#lifetime.close();
      await host.#release();
      throw error;
    }
  }

  /** Kills the program and ends the host. Idempotent. */
  close(): Promise<void> {
    void this.#end(atOnce);
    return this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open({ dir, run, socket, secret }: HostOptions): Promise<void> {
    // Whoever removed the folder wants no host in it.
    if (!isClosedDirectory(dir)) throw new Error(`${dir} is not there`);
    this.#hooks = await HookDoor.open(this.#spool, this.#clock);
    this.#owners = await OwnerDoor.open({
      path: socket,
      run,
      secret,
      clock: this.#clock,
      isBelow: (from) => this.#offspring?.hasConnected(from) ?? false,
      came: (owner) => this.#came(owner),
      frame: (framed) => this.#hear(framed),
      drained: () => this.#program?.resume(),
      went: () => this.#went(),
    });
    this.#file = new WrittenHostFile({
      dir,
      content: { run: this.#run, ...identityOf(process.pid), socket },
      clock: this.#clock,
      lost: () => void this.#end(asOrphan),
    });
  }

  #came(owner: OwnerLink): void {
    this.#owner = owner;
    this.#lifetime.came();
    const port = this.#hooks?.port ?? 0;
    const program = this.#program?.described;
    const token = this.#token;
    const { lost } = this.#spool;
    owner.send({ type: 'hello', run: this.#run, port, program, token, lost }, this.#memo);
  }

  #went(): void {
    this.#owner = undefined;
    this.#isAttached = false;
    this.#owners?.heard(false);
    this.#spool.detach();
    this.#program?.resume();
    if (!this.#isEnding) this.#lifetime.went();
  }

  #hear(framed: Framed<OwnerFrame>): void {
    act(framed, {
      program: this.#program,
      spool: this.#spool,
      lifetime: this.#lifetime,
      lease: (ms, at) => this.#lease.renew(ms, at),
      start: (frame, bytes) => this.#start(frame, bytes),
      attach: () => this.#attach(),
      remember: (memo) => this.#remember(memo),
      notice: (message, keep) => this.#hooks?.notices.say(message, keep),
      quit: (now) => void this.#end(now ? atOnce : byOwner),
    });
  }

  #remember(memo: Buffer): void {
    if (memo.length > longestMemo) throw new RangeError(`a memo of ${memo.length} bytes`);
    this.#memo = Buffer.from(memo);
  }

  #start({ token, cols, rows }: OwnerFrame & { type: 'start' }, bytes: Buffer): void {
    if (this.#isEnding) return;
    if (this.#program) {
      this.#owner?.send({ type: 'started', pid: this.#program.pid });
      return;
    }
    const spec = readHostedSpec(bytes);
    try {
      this.#program = new Program({
        spec: { ...spec, env: { ...spec.env, [runVariable]: this.#mark }, cols, rows },
        output: (at, output) => this.#tell({ type: 'output', at }, output),
        sweep: () => this.#sweep(),
        exited: (exit) => this.#exited(exit),
      });
      if (this.#offspring) this.#offspring.program = this.#program.pid;
    } catch (error) {
      this.#owner?.send({ type: 'failed', words: wordsOf(error) });
      void this.#end(byOwner);
      return;
    }
    this.#token = token;
    this.#hooks?.admit(token);
    this.#lifetime.started();
    this.#owner?.send({ type: 'started', pid: this.#program.pid });
  }

  #attach(): void {
    const owner = this.#owner;
    if (!owner || this.#isAttached) return;
    const send = (frame: HostFrame, bytes?: Uint8Array) => owner.send(frame, bytes);
    const program = this.#program;
    program?.sendSnapshot(send);
    this.#spool.attach(send);
    program?.sendOutput(send);
    if (program?.exit) send({ type: 'exit', ...program.exit });
    send({ type: 'attached', at: program?.described.at ?? 0 });
    this.#isAttached = true;
    this.#owners?.heard(true);
    this.#wait();
  }

  #tell(frame: HostFrame, bytes?: Uint8Array): void {
    if (!this.#isAttached) return;
    this.#owner?.send(frame, bytes);
    this.#wait();
  }

  /** The program waits for an owner that does not take what it says. */
  #wait(): void {
    if ((this.#owner?.unsent ?? 0) > mostUnsent) this.#program?.pause();
  }

  /** What Claude Code leaves behind must not go on without it: nobody could stop it any more. */
  #sweep(): string[] {
    for (const { pid, command } of this.#offspring?.end() ?? []) this.#swept.push(`${command} (${pid})`);
    return [...this.#swept];
  }

  #exited(exit: HostExit): void {
    this.#tell({ type: 'exit', ...exit });
    if (!this.#isEnding) this.#lifetime.exited();
  }

  async #end(how: typeof asOrphan | typeof byOwner | typeof atOnce): Promise<void> {
    // Nobody waits for a program longer than the first one who wanted its end, but for who wants it at once.
    if (how === atOnce) {
      // Before the program: what it started cannot go on then while that is being ended.
      this.#sweep();
      this.#program?.kill('SIGKILL', true);
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#lifetime.close();
    this.#lease.close();
    if (this.#program) await endProgram(this.#program, how, this.#clock);
    // Also what a program that had ended before has left with the host.
    this.#sweep();
    await this.#release();
    this.#setClosed();
  }

  async #release(): Promise<void> {
    this.#file?.remove();
    const cancel = this.#clock.after(goodbyeMs, () => this.#owners?.drop());
    await Promise.all([this.#hooks?.close(), this.#owners?.close()]);
    cancel();
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
