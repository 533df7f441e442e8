// The hooks of one Claude Code, as they come from its host: each is read in its order, answered where it waits, and
// acknowledged once what it said is on disk.
import type { Log } from '../../../base/log.ts';
import { mcpEvent } from '../../../protocol/wire/host.ts';
import type { Host, HostedHook, HostedHooks } from '../host-port.ts';
import type { HookClient } from '../permission/permission-ask.ts';
import { unreadAnswer } from '../permission/policy-answer.ts';
import { unreadMessage } from '../tools/host-transport.ts';

export interface HookFeedOptions {
  host: Pick<Host, 'answer' | 'acknowledge' | 'done'>;
  log: Log;
  /** @returns the hook's response; undefined for an empty one. @param body parsed JSON */
  read(hook: HostedHook, body: unknown, client: HookClient): Promise<object | undefined>;
  /** Stop was read, and not the last of what Claude Code said before it. */
  isClosing(): boolean;
  /** Resolves when everything reported so far is on disk. */
  reported(): Promise<void>;
}

interface OpenHook {
  aborted: AbortController;
  written: (() => void)[];
}

export class HookFeed implements HostedHooks {
  readonly #options: HookFeedOptions;
  /** Those that wait for an answer, or for it to be read. */
  readonly #open = new Map<number, OpenHook>();
  /** The newest that was read, or is being read. */
  #newest = 0;
  /** The Stop behind which more is expected. */
  #stop: number | undefined;
  /** Those whose request is over, and of which a word may not be on disk yet. */
  #closed: number[] = [];
  #isStoring = false;

  constructor(options: HookFeedOptions) {
    this.#options = options;
  }

  /**
   * What hooks up to this number said is reported. While the last of a turn is expected that is what was said before its
   * Stop: a bridge that dies then leaves the Stop to the next one.
   */
  get heard(): number {
    if (!this.#options.isClosing()) return this.#newest;
    return (this.#stop ?? this.#newest) - 1;
  }

  came(hook: HostedHook): void {
    const { n, request } = hook;
    const opened: OpenHook = { aborted: new AbortController(), written: [] };
    if (request === 'open') this.#open.set(n, opened);
    if (request === 'gone') opened.aborted.abort();
    if (request === 'gone' || request === 'written') this.#closed.push(n);
    this.#newest = n;
    void this.#respond(hook, opened).then((response) => {
      if (this.#open.has(n)) this.#options.host.answer(n, response ? JSON.stringify(response) : '');
    });
    this.#stop = this.#options.isClosing() ? (this.#stop ?? n) : undefined;
    this.#acknowledge();
  }

  written(n: number): void {
    const hook = this.#over(n);
    for (const listener of hook?.written ?? []) listener();
    this.#acknowledge();
  }

  gone(n: number): void {
    this.#over(n)?.aborted.abort();
    this.#acknowledge();
  }

  #over(n: number): OpenHook | undefined {
    const hook = this.#open.get(n);
    this.#open.delete(n);
    this.#closed.push(n);
    return hook;
  }

  /** Never rejects. */
  async #respond(hook: HostedHook, { aborted, written }: OpenHook): Promise<object | undefined> {
    const { log, read } = this.#options;
    const { event, body, request } = hook;
    try {
      const onWritten = (listener: () => void) => {
        if (request === 'written') listener();
        else written.push(listener);
      };
      return await read(hook, JSON.parse(body.toString()), { signal: aborted.signal, onWritten });
    } catch (error) {
      log.error('a hook could not be read; Claude Code goes on without an answer', { event, error });
      return event === mcpEvent ? unreadMessage : unreadAnswer(event);
    }
  }

  /** One wait at a time: what was read meanwhile is acknowledged with the next. */
  #acknowledge(): void {
    if (this.#isStoring) return;
    const { host, reported } = this.#options;
    const through = this.heard;
    const closed = this.#closed.splice(0);
    this.#isStoring = true;
    const stored = () => {
      this.#isStoring = false;
      host.acknowledge(through);
      for (const n of closed) host.done(n);
      if (this.heard > through || this.#closed.length > 0) this.#acknowledge();
    };
    // A disk that takes nothing leaves the hooks with their host.
    reported().then(stored, () => {});
  }
}
