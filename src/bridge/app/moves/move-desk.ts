// Conversations that go to another machine and come from one. Where they live is not decided here: `bridge/cluster` asks,
// and says what holds.
import type { Clock } from '../../../base/time/clock.ts';
import type { Session } from '../../../domain/state/session.ts';
import { type SessionState, snapshotOf } from '../../../domain/state/snapshot.ts';
import { isSettled } from '../../../domain/state/turn.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { diskFull, OperatorError } from '../operator/operator-error.ts';
import { untilSession } from '../operator/operator-wait.ts';

/** As `session.leave` wants it. */
const isOver = ({ turns }: Session): boolean => turns.every(isSettled);

/** Longest time for Claude Code to end, ms: /exit, SIGTERM and SIGKILL with their budgets, and some room. */
const endMs = 30_000;

const stillThere = (key: string) =>
  new OperatorError(
    'timeout',
    `Claude Code of "${key}" did not end in time.`,
    "It stays where it is. Look into the bridge's log, or try again.",
  );

export interface MoveDeskOptions {
  dispatcher: Dispatcher;
  clock: Clock;
  launchFor(key: string): LaunchOptions;
}

export interface OnTheWay {
  key: string;
  node: string;
  as: 'leaving' | 'arriving' | 'held';
}

export class MoveDesk {
  readonly #options: MoveDeskOptions;

  constructor(options: MoveDeskOptions) {
    this.#options = options;
  }

  /** What a bridge before may have left half done, too. */
  get onTheWay(): OnTheWay[] {
    return this.#options.dispatcher
      .sessionsEver()
      .flatMap(({ key, move }) => (move ? [{ key, ...move }] : []));
  }

  /**
   * Waits until nothing runs or waits in a conversation, begins nothing new there, and ends its Claude Code.
   * @param ms for what runs to end
   * @returns all that is known of it
   * @throws OperatorError `timeout`, `disk_full`; then it goes on here as before
   */
  async leave(key: string, node: string, ms: number, signal: AbortSignal): Promise<SessionState> {
    const { dispatcher } = this.#options;
    await this.#beginsToLeave(key, node, ms, signal);
    try {
      dispatcher.dispatch(key, { type: 'session.stop', reason: `the conversation moves to ${node}` });
      const isGone = ({ agent }: Session) => agent.name === 'stopped';
      const gone = await this.#until(key, isGone, endMs, signal);
      if (!gone) throw stillThere(key);
      await dispatcher.stored();
      const session = dispatcher.session(key) ?? gone;
      if (session.removed)
        throw new OperatorError('no_such_session', `"${key}" was removed meanwhile.`, 'It went nowhere.');
      return snapshotOf(session);
    } catch (error) {
      await this.house(key);
      throw error;
    }
  }

  async #beginsToLeave(key: string, node: string, ms: number, signal: AbortSignal): Promise<void> {
    const { dispatcher, clock } = this.#options;
    const end = clock.now() + ms;
    for (;;) {
      if (!(await this.#until(key, isOver, end - clock.now(), signal)))
        throw new OperatorError(
          'timeout',
          `Claude is still at work in "${key}".`,
          'It stays where it is. Wait longer with --timeout, or interrupt it: `synthesis interrupt`.',
        );
      const begun = dispatcher.dispatch(key, { type: 'session.leave', node });
      if (begun.ok && (await dispatcher.kept(begun.seq))) return;
      if (!begun.ok && begun.rejection.code === 'moving')
        throw new OperatorError(
          'elsewhere',
          `Whether "${key}" still lives on this machine cannot be found out now.`,
          'Nothing was changed. `synthesis cluster status` shows what is wrong.',
        );
      if (begun.ok || begun.rejection.code !== 'running') {
        await this.house(key);
        throw diskFull();
      }
    }
  }

  /** Nothing runs any more of one that was here before under that name. @throws OperatorError `timeout` */
  async free(key: string, signal: AbortSignal): Promise<void> {
    if (!this.#options.dispatcher.session(key)) return;
    const isGone = ({ agent }: Session) => agent.name === 'stopped';
    if (!(await this.#until(key, isGone, endMs, signal))) throw stillThere(key);
  }

  /** Whether that is so now. */
  isFree(key: string): boolean {
    const { agent } = this.#options.dispatcher.session(key) ?? {};
    return agent === undefined || agent.name === 'stopped';
  }

  /** Nothing of it is begun before `house`. @throws OperatorError when it is here already, or the disk is full */
  async arrive(key: string, node: string, state: Record<string, unknown>): Promise<void> {
    const { dispatcher, launchFor } = this.#options;
    const launch = launchFor(key);
    const arrived = dispatcher.dispatch(key, { type: 'session.arrive', node, state, launch });
    if (!arrived.ok)
      throw new OperatorError(
        'elsewhere',
        `There is a conversation "${key}" of its own on this machine.`,
        'Nothing was changed. Remove that one first: it is from before.',
      );
    if (!(await dispatcher.kept(arrived.seq))) throw diskFull();
  }

  /** Whether it still lives on this machine, `node`, is not known. @param ends whether what runs of it has to end */
  hold(key: string, node: string, ends: boolean): void {
    this.#options.dispatcher.dispatch(key, { type: 'session.hold', node, ...(ends && { ends }) });
  }

  /** It has come from a machine that is gone: what ran there ends in words. */
  recover(key: string, lost: string): void {
    this.#options.dispatcher.dispatch(key, { type: 'session.recover', lost });
  }

  /** It lives here: what waits in it goes on. @param held also where that was not known */
  async house(key: string, held = false): Promise<void> {
    const { dispatcher } = this.#options;
    dispatcher.dispatch(key, { type: 'session.house', ...(held && { held }) });
    dispatcher.dispatch(key, { type: 'session.proceed' });
    await dispatcher.stored();
  }

  /** It lives elsewhere by now. What was said before stays in the journal of this machine. */
  async gone(key: string): Promise<void> {
    const { dispatcher } = this.#options;
    dispatcher.dispatch(key, { type: 'session.remove', keep: true, moved: true });
    await dispatcher.stored();
  }

  /** It is to be forgotten, and has come here without ever having lived here. */
  async discard(key: string): Promise<void> {
    const { dispatcher } = this.#options;
    if (dispatcher.session(key)?.move?.as !== 'arriving') return;
    dispatcher.dispatch(key, { type: 'session.remove' });
    await dispatcher.stored();
  }

  #until(
    key: string,
    fits: (session: Session) => boolean,
    ms: number,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const { dispatcher, clock } = this.#options;
    return untilSession({ dispatcher, clock, key, ms, signal }, fits);
  }
}
