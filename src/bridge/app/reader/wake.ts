import type { Clock } from '../../../base/time/clock.ts';
import type { Dispatcher } from '../dispatcher.ts';

/** Sleeps until the session changes or its signal aborts. `version` is read before the state, so no change is missed. */
export class Wake {
  readonly key: string;
  readonly #signal: AbortSignal;
  readonly #unwatch: () => void;
  readonly ring = () => {
    this.version += 1;
    this.#change?.resolve();
    this.#change = undefined;
  };
  #change: PromiseWithResolvers<void> | undefined;
  version = 0;

  constructor(dispatcher: Dispatcher, key: string, signal: AbortSignal) {
    this.key = key;
    this.#signal = signal;
    this.#unwatch = dispatcher.watch(key, this.ring);
    signal.addEventListener('abort', this.ring);
  }

  get ended(): boolean {
    return this.#signal.aborted;
  }

  /** Resolves at the first change after `version` was `since`. */
  changed(since: number): Promise<void> {
    if (this.version !== since || this.ended) return Promise.resolve();
    this.#change ??= Promise.withResolvers();
    return this.#change.promise;
  }

  /** Resolves when nothing changed for `ms` milliseconds, or a signal aborted. */
  async quiet(clock: Clock, ms: number): Promise<void> {
    while (!this.ended) {
      const { version } = this;
      const timer = Promise.withResolvers<void>();
      const cancel = clock.after(ms, timer.resolve);
      await Promise.race([timer.promise, this.changed(version)]);
      cancel();
      if (this.version === version) return;
    }
  }

  close(): void {
    this.#unwatch();
    this.#signal.removeEventListener('abort', this.ring);
    this.ring();
  }
}
