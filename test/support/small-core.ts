import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import { brokenInvariant } from '../../src/domain/state/broken-invariant.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn, type Session } from '../../src/domain/state/session.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

/** The core without a journal: what is decided is so at once, and nothing is done about it. */
export class SmallCore {
  readonly #sessions = new Map<string, Session>();
  /** A message went before others, which the core does not do. */
  #isForced = false;
  /** Every event, in order. */
  readonly events: SessionEvent[] = [];
  /** What was refused, in order. */
  readonly refused: { command: Command; rejection: Rejection }[] = [];

  session(key = 'k'): Session {
    return this.#sessions.get(key) ?? emptySession(key);
  }

  /** @returns the events of this step @throws when what is known then cannot be true */
  dispatch(command: Command, key = 'k'): readonly SessionEvent[] {
    const decision = decide(this.session(key), command, { queued: 100 });
    if ('rejection' in decision) {
      this.refused.push({ command, rejection: decision.rejection });
      return [];
    }
    const events = this.happened(decision.events, key);
    const session = this.session(key);
    const rule = brokenInvariant(session);
    // Many a test is of turns alone, without a Claude Code that was started.
    if (rule !== undefined && session.agent.name !== 'stopped' && !this.#isForced)
      throw new Error(`after ${command.type}: ${rule}`);
    return events;
  }

  submit(turn: string, text: string, key = 'k'): void {
    const launch = { cwd: '/w', permissionMode: 'manual' as const, delivery: 'auto' as const };
    this.dispatch({ type: 'turn.submit', turn, claude: 'c', launch, ingress: 'openai', text }, key);
  }

  /** A message is on its way to Claude, whatever waits before it. */
  hand(turn: string, text: string, key = 'k'): void {
    this.submit(turn, text, key);
    if (findTurn(this.session(key), turn)?.phase.name !== 'queued') return;
    this.#isForced = true;
    this.happened([{ type: 'turn.delivering', turn, attempt: 1 }], key);
  }

  happened(events: readonly SessionEvent[], key: string): readonly SessionEvent[] {
    for (const event of events) this.#sessions.set(key, evolve(this.session(key), event, 0));
    this.events.push(...events);
    return events;
  }
}
