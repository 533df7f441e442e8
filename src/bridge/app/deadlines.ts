import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { CallerCommand } from '../../domain/commands.ts';
import {
  deliveringTurn,
  openAsks,
  queuedInClaude,
  runningTurn,
  type Session,
} from '../../domain/state/session.ts';
import type { Turn } from '../../domain/state/turn.ts';
import type { JournalRow } from '../../protocol/events/events.ts';

export interface DeadlineOptions {
  clock: Clock;
  /** Milliseconds after which an interrupted turn is ended although Claude did not confirm. */
  cancelMs: number;
  /** Milliseconds for starting Claude Code and handing a prompt over; a last resort behind the agent's own budgets. */
  deliverMs: number;
  /** Milliseconds without any event of a running turn, or of a call, after which it is given up. */
  turnMs: number;
  /** Milliseconds that a session of an unattended run is kept after its last turn. */
  unattendedMs: number;
  /** The same, while something that the run began is still at work, or Claude has not been told of its end. */
  tasksMs: number;
  dispatch(key: string, command: CallerCommand): void;
}

/** The clocks of the core: it has none itself, so every deadline comes back to it as a command. */
export class Deadlines {
  readonly #options: DeadlineOptions;
  readonly #timers = new Map<string, Cancel>();
  /** Sessions whose latest turn is an unattended run of its own. */
  readonly #shortLived = new Set<string>();
  /** Session → turns that are in flight there. */
  readonly #inFlight = new Map<string, Set<string>>();
  /** Session → what Claude Code runs there beside its turns. */
  readonly #tasks = new Map<string, Set<string>>();
  /** Open questions of a turn, and until when they wait, on the monotonic clock. */
  readonly #asked = new Map<string, { turn: string; until: number }>();

  constructor(options: DeadlineOptions) {
    this.#options = options;
  }

  /** Give it every row as it is appended. */
  observe(row: JournalRow): void {
    const { event, session } = row;
    switch (event.type) {
      case 'permission.asked':
        return this.#asks(session, event.code, event.expires_at, event.turn);
      case 'permission.decided':
      case 'permission.settled':
        this.#asked.delete(event.code);
        return this.#clear(`ask ${event.code}`);
      case 'turn.cancelling':
        return this.#cancelling(session, event.turn);
      case 'turn.requeued':
      case 'turn.held':
      case 'turn.withdrawn':
        return this.#leaves(session, event.turn);
      case 'turn.delivering':
      case 'turn.adopted':
        return this.#begins(session, event.turn, event.type === 'turn.delivering');
      case 'turn.running':
      case 'answer.delta':
        return this.#quiet(event.turn, session);
      case 'turn.joining':
        // It waits for the turn that it goes into.
        if (event.queued) this.#quiet(event.turn, session);
        return;
      case 'activity':
      case 'tool.progressed':
        if (event.type === 'activity' && event.turn !== undefined) return this.#quiet(event.turn, session);
        if (event.type === 'tool.progressed') this.#calls(session, event.call);
        // Of an agent, or a call: whatever waits for it is not silent.
        for (const turn of this.#inFlight.get(session) ?? []) this.#quiet(turn, session);
        return;
      case 'tool.called':
        return this.#calls(session, event.call);
      case 'tool.answered':
      case 'tool.dropped':
        return this.#clear(`call ${event.call}`);
      case 'task.began':
        return this.#works(session, event.task);
      case 'task.ended':
        if (event.told) this.#isDone(session, [event.task]);
        return;
      case 'agent.exited':
      case 'agent.starting':
        return this.#isDone(session, this.#tasks.get(session) ?? []);
      case 'turn.queued':
        this.#clear(`session ${session}`);
        return this.#lives(session, event.meta);
      case 'turn.settled':
        this.#clear(`turn ${event.turn}`);
        this.#leaves(session, event.turn);
        return this.#rests(session);
      default:
        return;
    }
  }

  /**
   * What the rows of a session have set in the bridge before. Its questions expire when they were to, however often the
   * bridge was started anew; everything else gets its time once more.
   */
  restore(session: Session): void {
    const { key, turns, tasks, calls } = session;
    const inFlight = [runningTurn(session), deliveringTurn(session), queuedInClaude(session)];
    this.#lives(key, turns.findLast(({ adopted }) => !adopted)?.meta);
    for (const { id } of tasks) this.#works(key, id);
    for (const { call } of calls) this.#calls(key, call);
    for (const turn of inFlight) if (turn) this.#begins(key, turn.id, turn.phase.name === 'delivering');
    this.#rests(key);
    for (const { code, expiresAt, turn: of } of openAsks(session)) this.#asks(key, code, expiresAt, of);
    for (const turn of inFlight) if (turn?.cancelledBy !== undefined) this.#cancelling(key, turn.id);
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #lives(session: string, meta: Turn['meta'] | undefined): void {
    if (meta?.own_session === 'yes') this.#shortLived.add(session);
    else this.#shortLived.delete(session);
  }

  /** It may outlive its turn. */
  #calls(session: string, call: string): void {
    this.#set(`call ${call}`, this.#options.turnMs, session, { type: 'tool.expire', call });
  }

  #works(session: string, task: string): void {
    this.#tasks.set(session, new Set([...(this.#tasks.get(session) ?? []), task]));
  }

  #isDone(session: string, tasks: Iterable<string>): void {
    const left = this.#tasks.get(session);
    if (!left) return;
    for (const task of [...tasks]) left.delete(task);
    if (left.size > 0) return;
    this.#tasks.delete(session);
    this.#rests(session);
  }

  /** An unattended run is over when no turn runs, and nothing that it began does. */
  #rests(session: string): void {
    if (!this.#shortLived.has(session) || this.#inFlight.has(session)) return;
    const { unattendedMs, tasksMs } = this.#options;
    const ms = this.#tasks.has(session) ? tasksMs : unattendedMs;
    const reason = this.#tasks.has(session)
      ? 'what its unattended run left at work took longer than timeouts.unattendedMs allows'
      : 'its unattended run is over';
    this.#set(`session ${session}`, ms, session, { type: 'session.stop', reason });
  }

  #leaves(session: string, turn: string): void {
    this.#clear(`silence ${turn}`);
    const turns = this.#inFlight.get(session);
    turns?.delete(turn);
    if (turns?.size === 0) this.#inFlight.delete(session);
  }

  #begins(session: string, turn: string, isOnItsWay: boolean): void {
    this.#inFlight.set(session, new Set([...(this.#inFlight.get(session) ?? []), turn]));
    this.#clear(`session ${session}`);
    if (!isOnItsWay) return this.#quiet(turn, session);
    const failed = { type: 'turn.expire', turn, code: 'delivery_failed' } as const;
    this.#set(`silence ${turn}`, this.#options.deliverMs, session, failed);
  }

  #asks(session: string, code: string, expiresAt: number, turn: string | undefined): void {
    const { clock } = this.#options;
    const waitMs = expiresAt - clock.wall();
    this.#set(`ask ${code}`, waitMs, session, { type: 'permission.expire', code });
    if (turn === undefined) return;
    this.#asked.set(code, { turn, until: clock.now() + waitMs });
    this.#quiet(turn, session);
  }

  #cancelling(session: string, turn: string): void {
    const interrupted = { type: 'turn.expire', turn, code: 'interrupted' } as const;
    this.#set(`turn ${turn}`, this.#options.cancelMs, session, interrupted);
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
