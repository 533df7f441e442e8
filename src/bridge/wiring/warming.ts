// Claude Codes that are started before a message is here: because one is on its way, or together with the bridge.
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isAway } from '../../domain/decide-session.ts';
import type { Config } from '../../protocol/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { warmStart } from '../app/warm-start.ts';
import { WarmUps } from '../app/warm-ups.ts';
import { launchOptions } from '../profiles.ts';

export interface WarmingOptions {
  config: Config & { cwd: string };
  dispatcher: Dispatcher;
  log: Log;
}

export class Warming {
  readonly #options: WarmingOptions;
  readonly #over = new AbortController();
  readonly ups: WarmUps;

  constructor(options: WarmingOptions) {
    this.#options = options;
    this.ups = new WarmUps({
      ...options,
      clock: systemClock,
      newClaudeId: randomUUID,
      launchFor: (key) => launchOptions(options.config, key),
      hasRoom: () => this.#hasRoom,
    });
  }

  /** Once all goes on as before. */
  start(): void {
    this.ups.start();
  }

  /** Those that were used last. Behind the ready line. */
  startLastUsed(): Promise<void> {
    const { config, dispatcher, log } = this.#options;
    return warmStart({
      dispatcher,
      clock: systemClock,
      log,
      count: config.limits.warmAtStart,
      ms: config.timeouts.startMs * 4,
      hasRoom: () => this.#hasRoom,
      signal: this.#over.signal,
    });
  }

  close(): void {
    this.#over.abort();
    this.ups.close();
  }

  get #hasRoom(): boolean {
    const { config, dispatcher } = this.#options;
    return dispatcher.sessions().filter((each) => !isAway(each)).length < config.limits.liveSessions;
  }
}
