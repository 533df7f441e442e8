// One host that is started before it is wanted, and waits for its session: what its start takes is over by then. It knows
// nothing, has no file and no socket, and ends with the bridge, because its stdin does.
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { Cancel } from '../../base/time/clock.ts';
import type { HostOrder } from '../../protocol/wire/host.ts';
import { HostProcess, readyMs } from './host-process.ts';
import type { Hosted } from './hosted.ts';
import type { StartHostOptions } from './start-host.ts';

/** From its order until it can be reached, ms: 4 to 15 measured. One that hangs keeps a message waiting for as long. */
const orderMs = 1_000;
/** From the start of a host to that of the next spare one, ms: a Claude Code needs the processors just then. */
const againMs = 5_000;

export interface SpareHostOptions extends Omit<StartHostOptions, 'spare'> {
  log: Log;
}

export class SpareHost {
  readonly #options: SpareHostOptions;
  #process: HostProcess | undefined;
  #isWaiting = false;
  /** It is in a scope of systemd. */
  #isScoped = false;
  #next: Cancel | undefined;
  #isOver = false;

  constructor(options: SpareHostOptions) {
    this.#options = options;
  }

  /** One is to be there, not before `ms` are over. */
  want(ms: number): void {
    this.#next?.();
    if (!this.#isOver) this.#next = this.#options.clock.after(ms, () => void this.#start());
  }

  /**
   * The one that waits becomes the host of a session, and another one is started behind it.
   * @returns undefined when none waits, or it does not do it: no session is to fail because of it
   */
  async take(order: HostOrder): Promise<Hosted | undefined> {
    this.want(againMs);
    if (!this.#isWaiting) return undefined;
    const host = this.#process;
    this.#forget();
    try {
      if (this.#command().isScoped !== this.#isScoped) throw new Error('a host belongs elsewhere by now');
      return await host?.own(order, orderMs);
    } catch (error) {
      this.#options.log.warn('the spare host is of no use: another one is started', { error });
      await host?.kill();
      return undefined;
    } finally {
      host?.leave();
    }
  }

  /** Ends it, until one is wanted again. */
  async end(): Promise<void> {
    this.#next?.();
    const host = this.#process;
    this.#forget();
    await host?.kill();
  }

  /** Ends it, and starts none any more. Idempotent. */
  close(): Promise<void> {
    this.#isOver = true;
    return this.end();
  }

  #forget(): void {
    this.#process = undefined;
    this.#isWaiting = false;
  }

  /** What is in its way is in that of the next session, too, which tells it. */
  async #start(): Promise<void> {
    if (this.#process) return;
    const { log } = this.#options;
    let host: HostProcess | undefined;
    try {
      host = this.#spawn();
      await host.next(readyMs);
      if (!this.#has(host)) return;
      this.#isWaiting = true;
      log.debug('a spare host waits', { pid: host.pid });
    } catch (error) {
      if (host && this.#has(host)) this.#forget();
      log.debug('no spare host', { error });
      await host?.kill();
    }
  }

  /** @throws the system's error */
  #spawn(): HostProcess {
    const { command, isScoped } = this.#command();
    const host = new HostProcess(command, this.#options.clock, () => {
      // One that was killed, as where memory is short, is not started again before a session was.
      if (this.#has(host)) this.#forget();
    });
    host.unref();
    this.#process = host;
    this.#isScoped = isScoped;
    return host;
  }

  #has(host: HostProcess): boolean {
    return this.#process === host;
  }

  #command() {
    const { scopes, program, nodePath } = this.#options;
    const scoped = scopes.around(`synthesis-host-${newId('s')}`, [nodePath, program]);
    const bare = { file: nodePath, args: [program], env: {} };
    return { command: scoped ?? bare, isScoped: scoped !== undefined };
  }
}
