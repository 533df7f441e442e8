// The process of a host, as whoever starts it hears from it: lines of JSON on its stdout.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { identityOf } from '../../base/process/process-identity.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HostOrder } from '../../protocol/wire/host.ts';
import { Hosted } from './hosted.ts';
import type { Command } from './scopes.ts';

/** Until it can be reached, ms: 43 measured, and a scope's start before that. */
export const readyMs = 10_000;
/** From the kill to going on without its end, ms. */
const unkillableMs = 1_000;

interface Said {
  failed?: string;
}

export class HostProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  #text = '';
  #end: Error | undefined;
  #look: (() => void) | undefined;

  /**
   * @param ended called once when it says nothing any more, until `leave`
   */
  constructor({ file, args, env }: Command, clock: Clock, ended = () => {}) {
    // Nothing of the bridge's environment, nor its folder: it may be there for longer than either.
    const child = spawn(file, args, { cwd: '/', env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    this.#clock = clock;
    const end = (error: Error) => {
      if (this.#end) return;
      this.#end = error;
      this.#look?.();
      ended();
    };
    child.on('error', end);
    // What is given to one that has ended is told by its stdout.
    child.stdin?.on('error', () => {});
    child.stdout?.on('error', end);
    child.stdout?.on('close', () => end(new Error('it ended at once')));
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#text += chunk;
      this.#look?.();
    });
    child.unref();
  }

  /** It does not keep this process, as long as nothing is waited for. */
  unref(): void {
    for (const pipe of [this.#child.stdin, this.#child.stdout]) (pipe as Socket | null)?.unref();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it says next. One wait at a time. @throws Error in words when it fails, ends, or takes longer than `ms` */
  async next(ms: number): Promise<void> {
    const line = await this.#line(ms);
    const { failed } = JSON.parse(line) as Said;
    if (failed !== undefined) throw new Error(failed);
  }

  /**
   * It waits, and becomes the host that the order names; the caller becomes its owner. Nothing else is ever told to it on
   * its standard input.
   * @param ms until it can be reached @throws Error in words, UnsafePathError
   */
  async own(order: HostOrder, ms: number): Promise<Hosted> {
    this.#child.stdin?.end(`${JSON.stringify(order)}\n`);
    await this.next(ms);
    return Hosted.at(order, identityOf(this.pid), this.#clock);
  }

  /** Hears nothing of it any more. */
  leave(): void {
    this.#end ??= new Error('nobody listens any more');
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#look?.();
  }

  /** Resolves when it is gone: another one may be started in its place. */
  async kill(): Promise<void> {
    this.leave();
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(unkillableMs, resolve);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await Promise.race([exit, late]);
    cancel();
  }

  #line(ms: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const over = () => {
        cancel();
        this.#look = undefined;
      };
      const cancel = this.#clock.after(ms, () => {
        over();
        reject(new Error(`it says nothing within ${ms / 1000} s`));
      });
      this.#look = () => {
        const end = this.#text.indexOf('\n');
        if (end === -1 && !this.#end) return;
        over();
        if (end === -1) return reject(this.#end);
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        resolve(line);
      };
      this.#look();
    });
  }
}
