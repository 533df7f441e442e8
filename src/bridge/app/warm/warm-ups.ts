// A Claude Code takes a while to start. Whoever knows that a message is on its way says so, and it starts meanwhile.
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { isAway } from '../../../domain/decide/decide-session.ts';
import { isUnused } from '../../../domain/decide/open-session.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import type { Dispatcher } from '../dispatcher.ts';

export interface WarmUpsOptions {
  dispatcher: Pick<Dispatcher, 'dispatch' | 'session' | 'sessions'>;
  clock: Clock;
  log: Log;
  newClaudeId(): string;
  launchFor(key: string): LaunchOptions;
  /** Whether one more Claude Code has a place without another one being ended for it. */
  hasRoom(): boolean;
}

/**
 * Why nothing is started: it runs, or is about to; all places are taken; its folder is not there, or Claude Code would
 * only ask whether it trusts it; everything is stopped; the disk is full.
 */
export type ColdReason = 'running' | 'no_room' | 'folder' | 'panic' | 'not_stored';

/** A hub that writes down what a voice message says takes its time; what has not come by then does not come, ms. */
const patienceMs = 60_000;

export class WarmUps {
  readonly #options: WarmUpsOptions;
  /** Conversations that nobody has written in yet. */
  readonly #waiting = new Map<string, Cancel>();

  constructor(options: WarmUpsOptions) {
    this.#options = options;
  }

  /** Looks after what a bridge before has opened. Call once all goes on as before. */
  start(): void {
    for (const session of this.#options.dispatcher.sessions())
      if (isUnused(session)) this.#expect(session.key);
  }

  /** @param by who says so, for people @returns undefined when its Claude Code is being started */
  warm(key: string, by: string): ColdReason | undefined {
    const { dispatcher, hasRoom, launchFor, newClaudeId } = this.#options;
    const before = dispatcher.session(key);
    if ((!before || isAway(before)) && !hasRoom()) return 'no_room';
    const made = { claude: newClaudeId(), launch: launchFor(key), ingress: 'openai' as const };
    const outcome = dispatcher.dispatch(key, { type: 'session.warm', ...made, by });
    if (!outcome.ok) {
      const { code } = outcome.rejection;
      return code === 'panic' || code === 'not_stored' ? code : 'running';
    }
    if (isUnused(outcome.session)) this.#expect(key);
    return undefined;
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #expect(key: string): void {
    this.#waiting.get(key)?.();
    this.#waiting.set(
      key,
      this.#options.clock.after(patienceMs, () => this.#giveUp(key)),
    );
  }

  /** The hub answered by itself, or with another model. */
  #giveUp(key: string): void {
    const { dispatcher, log } = this.#options;
    this.#waiting.delete(key);
    const session = dispatcher.session(key);
    if (!session || !isUnused(session)) return;
    log.info('no message came after all: the conversation is removed', { session: hashId(key) });
    dispatcher.dispatch(key, { type: 'session.remove' });
  }
}
