// Claude Codes that are started before a message is here: because one is on its way, or together with the bridge.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import { isAway } from '../../domain/decide/decide-session.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { warmStart } from '../app/warm/warm-start.ts';
import { type ColdReason, WarmUps } from '../app/warm/warm-ups.ts';
import { launchOptions } from '../profiles.ts';
import { isReadyFolder } from '../setup/claude-answers.ts';

export interface WarmingOptions {
  config: Config & { cwd: string };
  dispatcher: Dispatcher;
  log: Log;
  env: Readonly<Record<string, string | undefined>>;
}

export class Warming {
  readonly #options: WarmingOptions;
  readonly #over = new AbortController();
  readonly #ups: WarmUps;

  constructor(options: WarmingOptions) {
    this.#options = options;
    this.#ups = new WarmUps({
      ...options,
      clock: systemClock,
      newClaudeId: randomUUID,
      launchFor: (key) => launchOptions(options.config, key),
      hasRoom: () => this.#hasRoom,
    });
  }

  /**
   * Not in a folder that Claude Code does not trust: it would ask about that now, and once more when the message comes.
   * @returns why no Claude Code is being started
   */
  async warm(key: string, by: string): Promise<ColdReason | undefined> {
    const { config, dispatcher, env } = this.#options;
    const session = dispatcher.session(key);
    const opened = session?.removed ? undefined : session;
    const { cwd } = opened?.claude?.launch ?? launchOptions(config, key);
    if ((!opened || isAway(opened)) && !(await isReadyFolder(cwd, env))) return 'folder';
    return this.#ups.warm(key, by);
  }

  /** Once all goes on as before. */
  start(): void {
    this.#ups.start();
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
    this.#ups.close();
  }

  get #hasRoom(): boolean {
    const { config, dispatcher } = this.#options;
    return dispatcher.sessions().filter((each) => !isAway(each)).length < config.limits.liveSessions;
  }
}
