import type { Cancel, Clock } from '../../base/clock.ts';
import type { CallerCommand } from '../../domain/commands.ts';
import type { JournalRow } from '../../protocol/events.ts';

export interface DeadlineOptions {
  clock: Clock;
  /** Milliseconds after which an interrupted turn is ended although Claude did not confirm. */
  cancelMs: number;
  /** Milliseconds for starting Claude Code and handing a prompt over; a last resort behind the agent's own budgets. */
  deliverMs: number;
  /** Milliseconds without any event of a running turn after which it is given up. */
  turnMs: number;
  /** Milliseconds that a session of an unattended run is kept after its last turn. */
  unattendedMs: number;
  dispatch(key: string, command: CallerCommand): void;
}

/** The clocks of the core: it has none itself, so every deadline comes back to it as a command. */
export class Deadlines {
  readonly #options: DeadlineOptions;
  readonly #timers = new Map<string, Cancel>();
  /** Sessions whose latest turn is an unattended run of its own. */
  readonly #shortLived = new Set<string>();
  /** Session → the turn that is in flight there. */
  readonly #inFlight = new Map<string, string>();
  /** Open questions of a turn, and until when they wait, on the monotonic clock. */
  readonly #asked = new Map<string, { turn: string; until: number }>();

  constructor(options: DeadlineOptions) {
    this.#options = options;
  }

  /** Give it every row as it is appended. */
  observe(row: JournalRow): void {
    const { event, session } = row;
    switch (event.type) {
      case 'permission.asked': {
        const { clock } = this.#options;
        const { turn, code, expires_at } = event;
        const waitMs = expires_at - clock.wall();
        this.#set(`ask ${code}`, waitMs, session, { type: 'permission.expire', code });
        if (turn === undefined) return;
        this.#asked.set(code, { turn, until: clock.now() + waitMs });
        return this.#quiet(turn, session);
      }
      case 'permission.decided':
      case 'permission.settled':
        this.#asked.delete(event.code);
        return this.#clear(`ask ${event.code}`);
      case 'turn.cancelling':
        this.#set(`turn ${event.turn}`, this.#options.cancelMs, session, {
          type: 'turn.expire',
          turn: event.turn,
          code: 'interrupted',
        });
        return;
      case 'turn.requeued':
      case 'turn.withdrawn':
        this.#clear(`silence ${event.turn}`);
        if (this.#inFlight.get(session) === event.turn) this.#inFlight.delete(session);
        return;
      case 'turn.delivering':
        this.#begins(session, event.turn);
        return this.#set(`silence ${event.turn}`, this.#options.deliverMs, session, {
          type: 'turn.expire',
          turn: event.turn,
          code: 'delivery_failed',
        });
      case 'turn.adopted':
        this.#begins(session, event.turn);
        return this.#quiet(event.turn, session);
      case 'turn.running':
      case 'answer.delta':
      case 'activity':
        if (event.turn !== undefined) this.#quiet(event.turn, session);
        return;
      case 'tool.progressed': {
        const turn = this.#inFlight.get(session);
        if (turn !== undefined) this.#quiet(turn, session);
        return;
      }
      case 'turn.queued':
        this.#clear(`session ${session}`);
        if (event.meta.own_session === 'yes') this.#shortLived.add(session);
        else this.#shortLived.delete(session);
        return;
      case 'turn.settled':
        this.#clear(`turn ${event.turn}`);
        this.#clear(`silence ${event.turn}`);
        if (this.#inFlight.get(session) === event.turn) this.#inFlight.delete(session);
        if (!this.#shortLived.has(session) || this.#inFlight.has(session)) return;
        return this.#set(`session ${session}`, this.#options.unattendedMs, session, {
          type: 'session.stop',
          reason: 'its unattended run is over',
        });
      default:
        return;
    }
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #begins(session: string, turn: string): void {
    this.#inFlight.set(session, turn);
    this.#clear(`session ${session}`);
  }

  /** Something of the turn was seen. While it waits for a human it is silent, and not given up. */
  #quiet(turn: string, session: string): void {
    const now = this.#options.clock.now();
    const waits = [...this.#asked.values()]
      .filter((ask) => ask.turn === turn)
      .map(({ until }) => until - now);
    const ms = Math.max(0, ...waits) + this.#options.turnMs;
    this.#set(`silence ${turn}`, ms, session, { type: 'turn.expire', turn, code: 'expired' });
  }

  #set(name: string, ms: number, key: string, command: CallerCommand): void {
    this.#clear(name);
    const cancel = this.#options.clock.after(ms, () => {
      this.#timers.delete(name);
      this.#options.dispatch(key, command);
    });
    this.#timers.set(name, cancel);
  }

  #clear(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }
}
