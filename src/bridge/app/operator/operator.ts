// What an operator can do by hand; the control socket is the road to it.
import { newId } from '../../../base/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { CallerCommand } from '../../../domain/commands.ts';
import { readQueuePrefix } from '../../../domain/message/queue-prefix.ts';
import { currentTurn, type Session, workingAgents } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import type {
  ControlMethods,
  ErasedOnServers,
  RemoveResult,
  RenameResult,
  SendResult,
  WaitResult,
} from '../../../domain/views/control.ts';
import { type AskRow, askRows } from '../../../domain/views/session/ask-row.ts';
import { type SessionCost, sessionCost } from '../../../domain/views/session/session-cost.ts';
import { type SessionRow, sessionRow } from '../../../domain/views/session/session-row.ts';
import { turnRows } from '../../../domain/views/session/turn-row.ts';
import { type BoardSnapshot, packSession } from '../../../domain/views/snapshot.ts';
import { movingText } from '../../../domain/words/moving-text.ts';
import { keptWords } from '../../../domain/words/turn-words.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import { sessionKey } from '../../../protocol/session-key.ts';
import type { QueueMode } from '../../../protocol/settings/queue-mode.ts';
import type { Dispatcher, Outcome } from '../dispatcher.ts';
import type { Readers } from '../reader/reader.ts';
import { decideAsk, openAsk } from './operator-decide.ts';
import { notStored, OperatorError } from './operator-error.ts';
import { type Follower, watchTurn } from './operator-follow.ts';
import { isIdle, restartSession, untilSession, type WaitOptions } from './operator-wait.ts';
import { panicRefusal } from './panic-refusal.ts';
import { namedSession, newLabel, resolveSession, resolveWhole, sessionId } from './session-ref.ts';

export interface OperatorOptions {
  dispatcher: Dispatcher;
  readers: Readers;
  clock: Clock;
  /** Milliseconds for Claude Code to start by hand. */
  startMs: number;
  newClaudeId(): string;
  launchFor(key: string): LaunchOptions;
  queueModeFor(key: string): QueueMode;
  /** What a chat user would be told about a turn that did not end with an answer; '' when there is nothing to say. */
  words(turn: Turn, key: string): string;
  screen(key: string): string[] | undefined;
  /** As `SessionDetail.memory`. */
  memoryOf(key: string): string | null;
  /** As `SessionDetail.stays`. */
  staysOf(key: string): Promise<string[]>;
  /** Resolves when a session that was removed is forgotten, with how many files of the archive are still being cleaned. */
  forgotten(key: string): Promise<number>;
  /** What became of what the nats-servers keep of it, a moment later; undefined where they keep nothing. */
  erased(key: string): Promise<ErasedOnServers | undefined>;
  /** Where there are other machines: before a message is taken here. @throws OperatorError `elsewhere` */
  mayTake?(key: string): Promise<void>;
}

type Params<M extends keyof ControlMethods> = ControlMethods[M]['params'];

export class Operator {
  readonly #options: OperatorOptions;

  constructor(options: OperatorOptions) {
    this.#options = options;
  }

  list(): SessionRow[] {
    return this.#sessions().map((session) => sessionRow(session, sessionId(session.key)));
  }

  /** @param refs all sessions when there is none @throws OperatorError as `resolve` */
  costs(refs: readonly string[]): SessionCost[] {
    const sessions = refs.length === 0 ? this.#sessions() : new Set(refs.map((ref) => this.resolve(ref)));
    return [...sessions].map((session) => sessionCost(session, sessionId(session.key)));
  }

  async inspect(ref: string): Promise<ControlMethods['session.inspect']['result']> {
    const session = this.resolve(ref);
    const stays = await this.#options.staysOf(session.key);
    return {
      ...sessionRow(session, sessionId(session.key)),
      memory: this.#options.memoryOf(session.key),
      ...(stays.length > 0 && { stays }),
      screen: this.#options.screen(session.key) ?? null,
      status: session.status ?? null,
      cost_days: sessionCost(session, '').days,
      turns: turnRows(session),
      asks: askRows(session),
    };
  }

  /** Sends a message as the operator; `follower` gets what comes of it while it is followed. */
  async send(params: Params<'session.send'>, follower: Follower, signal: AbortSignal): Promise<SendResult> {
    const { dispatcher, newClaudeId, launchFor } = this.#options;
    const key = params.create ? this.#keyOrNew(params.session) : this.resolve(params.session, orCreate).key;
    await this.#options.mayTake?.(key);
    const turn = newId('t');
    const asked = readQueuePrefix(params.text);
    const outcome = dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: newClaudeId(),
      launch: launchFor(key),
      ingress: 'operator',
      text: asked?.text ?? params.text,
      mode: asked?.mode ?? this.#options.queueModeFor(key),
      sender: { name: 'operator' },
    });
    if (!outcome.ok && outcome.rejection.code === 'panic')
      throw panicRefusal(outcome.rejection.since, 'Nothing was sent.');
    if (!outcome.ok && outcome.rejection.code === 'moving')
      throw new OperatorError('elsewhere', movingText(outcome.rejection), 'Nothing was sent.');
    if (!outcome.ok && outcome.rejection.code !== 'not_stored')
      throw new OperatorError('internal', 'The message was refused.', 'Try again.');
    if (!outcome.ok || !(await dispatcher.took(key, turn, outcome.seq))) throw notStored(dispatcher);
    if (!params.follow) return { turn, outcome: 'accepted', code: null, words: null };
    const unwatch = watchTurn(dispatcher, key, turn, follower);
    try {
      return await this.#follow(key, turn, follower, signal);
    } finally {
      unwatch();
    }
  }

  async interrupt(ref: string): Promise<ControlMethods['session.interrupt']['result']> {
    const session = this.resolve(ref);
    if (!currentTurn(session)) {
      throw new OperatorError(
        'not_running',
        `Nothing is running in "${session.key}".`,
        'There is nothing to interrupt.',
      );
    }
    await this.#carryOut(session.key, { type: 'turn.cancel', by: 'the operator' });
    return { interrupted: true };
  }

  async stop(ref: string): Promise<ControlMethods['session.stop']['result']> {
    const session = this.resolve(ref);
    const outcome = await this.#carryOut(session.key, {
      type: 'session.stop',
      reason: 'stopped by the operator',
    });
    if (!outcome.ok) {
      throw new OperatorError(
        'not_running',
        `Claude Code is not running for "${session.key}".`,
        'Its conversation is kept; the next message resumes it.',
      );
    }
    return { stopping: true, agents: workingAgents(session).length };
  }

  async rename({ session, label: text }: Params<'session.rename'>): Promise<RenameResult> {
    const { key } = this.resolve(session);
    const label = newLabel(this.#sessions(), key, text ?? '');
    await this.#carryOut(key, { type: 'session.label', ...(label !== undefined && { label }) });
    return { session: key, label: label ?? null };
  }

  async remove({ session: ref, keep }: Params<'session.remove'>): Promise<RemoveResult> {
    const { key } = resolveWhole(this.#sessions(), ref);
    await this.#carryOut(key, { type: 'session.remove', ...(keep && { keep }) });
    if (keep) return { removed: true, text: 'kept', archive: 0, ...(await this.#options.erased(key)) };
    const archive = await this.#within(patienceMs, this.#options.forgotten(key));
    const text = archive === undefined ? 'soon' : 'deleted';
    return { removed: true, text, archive: archive ?? 0, ...(await this.#options.erased(key)) };
  }

  asks(): AskRow[] {
    return this.#sessions().flatMap(askRows);
  }

  /** @throws OperatorError `no_such_code`, `already_answered` */
  ask(code: string): AskRow {
    return openAsk(this.#options.dispatcher, code);
  }

  /** @param who where the verdict comes from, such as `pts/3: zsh, tmux` */
  async decide(
    params: Params<'permission.decide'>,
    who?: string,
  ): Promise<ControlMethods['permission.decide']['result']> {
    const { dispatcher } = this.#options;
    const decided = decideAsk(dispatcher, params, who);
    await dispatcher.stored(decided.session);
    return decided;
  }

  /** Resolves when nothing runs or waits in the session. @throws OperatorError `timeout` */
  async wait(params: Params<'session.wait'>, signal: AbortSignal): Promise<WaitResult> {
    const { key } = this.resolve(params.session);
    const ms = params.timeout_ms;
    const idle = await untilSession(
      { ...this.#waiting(key, signal), ...(ms !== undefined && { ms }) },
      isIdle,
    );
    if (idle) return { session: key, idle: true, state: sessionRow(idle, sessionId(key)).state };
    throw new OperatorError(
      'timeout',
      `"${key}" is still busy.`,
      'Nothing was interrupted. Wait again, or look at it with `synthesis attach`.',
    );
  }

  /** @throws OperatorError `start_failed` or `timeout` */
  async restart(ref: string, signal: AbortSignal): Promise<ControlMethods['session.restart']['result']> {
    const session = this.resolve(ref);
    const { key } = session;
    const { startMs, launchFor, dispatcher } = this.#options;
    const { panic } = dispatcher;
    if (panic) throw panicRefusal(panic.since, 'Nothing was restarted.');
    const launch = launchFor(key);
    const pid = await restartSession({ ...this.#waiting(key, signal), ms: startMs, launch });
    const { permission_mode } = sessionRow(this.resolve(key), sessionId(key));
    return { restarted: true, pid, permission_mode, agents: workingAgents(session).length };
  }

  /** All sessions at one point of the journal, once that point is on disk. */
  async snapshot(): Promise<BoardSnapshot> {
    const { dispatcher } = this.#options;
    const { seq } = dispatcher;
    const sessions = this.#sessions().map(packSession);
    await dispatcher.durable(seq);
    return { seq, sessions };
  }

  /** @throws OperatorError `driven` when somebody else types there. */
  takeLease(key: string, lease: string, by: string): void {
    const outcome = this.#options.dispatcher.dispatch(key, { type: 'lease.take', lease, by });
    if (outcome.ok) return;
    if (outcome.rejection.code === 'panic')
      throw panicRefusal(outcome.rejection.since, 'You can look at this terminal; nobody types into it.');
    const holder = outcome.rejection.code === 'driven' ? outcome.rejection.by : 'somebody';
    throw new OperatorError(
      'driven',
      `${holder} types into Claude's terminal of "${key}" already.`,
      'Attach without --drive to look, or let them detach first.',
    );
  }

  releaseLease(key: string, lease: string, why: string): void {
    this.#options.dispatcher.dispatch(key, { type: 'lease.release', lease, why });
  }

  /** @throws OperatorError `no_such_session` or `ambiguous` */
  resolve(ref: string, next?: string): Session {
    return resolveSession(this.#sessions(), ref, next);
  }

  async #follow(key: string, id: string, { text }: Follower, signal: AbortSignal): Promise<SendResult> {
    const read = this.#options.readers.read({
      key,
      target: id,
      request: id,
      signal,
      quietMs: 0,
      interactive: false,
      leaves: true,
    });
    for await (const item of read) {
      if (item.kind === 'kept')
        return { turn: id, outcome: 'accepted', code: null, words: keptWords(item.turn) };
      if (item.kind === 'text' && item.turn.id === id) await text(item.text);
      if (item.kind !== 'settled' || item.turn.id !== id || item.turn.phase.name !== 'settled') continue;
      const { outcome, code } = item.turn.phase;
      return { turn: id, outcome, code: code ?? null, words: this.#options.words(item.turn, key) || null };
    }
    return { turn: id, outcome: 'accepted', code: null, words: null };
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
    const timer = Promise.withResolvers<undefined>();
    const cancel = this.#options.clock.after(ms, () => timer.resolve(undefined));
    return Promise.race([work, timer.promise]).finally(cancel);
  }

  /** What was told to be done is on disk. @throws what the journal says when the disk failed */
  async #carryOut(key: string, command: CallerCommand): Promise<Outcome> {
    const { dispatcher } = this.#options;
    const outcome = dispatcher.dispatch(key, command);
    if (outcome.ok) await dispatcher.durable(outcome.seq, key);
    return outcome;
  }

  #sessions(): Session[] {
    return this.#options.dispatcher.sessions();
  }

  #waiting(key: string, signal: AbortSignal): WaitOptions {
    const { dispatcher, clock } = this.#options;
    return { dispatcher, clock, key, signal };
  }

  /** A prefix is a name of its own here: the message must not reach whatever begins so. */
  #keyOrNew(ref: string): string {
    return namedSession(this.#sessions(), ref)?.key ?? sessionKey(ref);
  }
}

/** Milliseconds that a Claude Code, and whoever reads a session, have to end before `rm` answers. */
const patienceMs = 5_000;
/** For a message that found no session. */
const orCreate = 'Run `synthesis ps` to see the sessions, or add --create to open one of this name.';
