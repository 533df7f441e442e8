// What an operator can do by hand; the control socket is the road to it.
import { newId } from '../../base/ids.ts';
import { outcomeText } from '../../domain/outcome.ts';
import { isCut } from '../../domain/question.ts';
import { currentTurn, type Session, type Turn } from '../../domain/session.ts';
import { type AskRow, askRows } from '../../domain/views/ask-row.ts';
import type { ControlMethods, SendResult } from '../../domain/views/control.ts';
import { type SessionRow, sessionRow } from '../../domain/views/session-row.ts';
import type { LaunchOptions } from '../../protocol/events.ts';
import type { Dispatcher } from './dispatcher.ts';
import { OperatorError } from './operator-error.ts';
import type { Readers } from './reader.ts';
import { resolveSession, sessionId } from './session-ref.ts';

export interface OperatorOptions {
  dispatcher: Dispatcher;
  readers: Readers;
  newClaudeId(): string;
  launchFor(key: string): LaunchOptions;
  /** What a chat user would be told about a turn that did not end with an answer; '' when there is nothing to say. */
  words(turn: Turn): string;
  screen(key: string): string[] | undefined;
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

  inspect(ref: string): ControlMethods['session.inspect']['result'] {
    const session = this.#resolve(ref);
    return {
      ...sessionRow(session, sessionId(session.key)),
      screen: this.#options.screen(session.key) ?? null,
      status: session.status ?? null,
    };
  }

  /** Sends a message as the operator; `onText` gets the answer as it is written when it is followed. */
  async send(
    params: Params<'session.send'>,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const { dispatcher, newClaudeId, launchFor } = this.#options;
    const key = params.create ? this.#keyOrNew(params.session) : this.#resolve(params.session).key;
    const turn = newId('t');
    const outcome = dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: newClaudeId(),
      launch: launchFor(key),
      ingress: 'operator',
      text: params.text,
      sender: { name: 'operator' },
    });
    if (!outcome.ok) throw new OperatorError('internal', 'The message was refused.', 'Try again.');
    await dispatcher.durable(outcome.seq);
    if (!params.follow) return { turn, outcome: 'accepted', code: null, words: null };
    return this.#follow(key, turn, onText, signal);
  }

  interrupt(ref: string): ControlMethods['session.interrupt']['result'] {
    const session = this.#resolve(ref);
    if (!currentTurn(session)) {
      throw new OperatorError(
        'not_running',
        `Nothing is running in "${session.key}".`,
        'There is nothing to interrupt.',
      );
    }
    this.#options.dispatcher.dispatch(session.key, { type: 'turn.cancel', by: 'the operator' });
    return { interrupted: true };
  }

  stop(ref: string): ControlMethods['session.stop']['result'] {
    const session = this.#resolve(ref);
    const outcome = this.#options.dispatcher.dispatch(session.key, {
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
    return { stopping: true };
  }

  remove(ref: string): ControlMethods['session.remove']['result'] {
    const session = this.#resolve(ref);
    this.#options.dispatcher.dispatch(session.key, { type: 'session.remove' });
    return { removed: true };
  }

  asks(): AskRow[] {
    return this.#sessions().flatMap(askRows);
  }

  decide(params: Params<'permission.decide'>): ControlMethods['permission.decide']['result'] {
    const code = params.code.toLowerCase();
    const session = this.#sessions().find((each) => each.asks.some((ask) => ask.code === code));
    const ask = session?.asks.find((each) => each.code === code);
    if (!session || !ask) {
      throw new OperatorError(
        'no_such_code',
        `No permission request has the code "${params.code}".`,
        'Run `synthesis approvals` to see what waits.',
      );
    }
    const { verdict, reason, scope } = params;
    if (scope === 'session' && isCut(ask)) {
      throw new OperatorError(
        'bad_request',
        `The input of "${code}" is too long to be shown whole, so it can only be allowed once.`,
        'Look at it with `synthesis approvals --json`, then approve it without --scope session.',
      );
    }
    const outcome = this.#options.dispatcher.dispatch(session.key, {
      type: 'permission.decide',
      code,
      verdict,
      by: 'cli',
      ...(reason !== undefined && { reason }),
      ...(scope !== undefined && { scope }),
    });
    if (outcome.ok) return { code, verdict, session: session.key, tool: ask.tool };
    throw new OperatorError(
      'already_answered',
      outcomeText(ask),
      'Nothing was changed. Run `synthesis approvals` to see what still waits.',
    );
  }

  async #follow(
    key: string,
    id: string,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const read = this.#options.readers.read({
      key,
      target: id,
      request: id,
      signal,
      quietMs: 0,
      interactive: false,
    });
    for await (const item of read) {
      if (item.kind === 'text' && item.turn.id === id) onText(item.text);
      if (item.kind !== 'settled' || item.turn.id !== id || item.turn.phase.name !== 'settled') continue;
      const { outcome, code } = item.turn.phase;
      return { turn: id, outcome, code: code ?? null, words: this.#options.words(item.turn) || null };
    }
    return { turn: id, outcome: 'accepted', code: null, words: null };
  }

  #sessions(): Session[] {
    return this.#options.dispatcher.sessions();
  }

  #resolve(ref: string): Session {
    return resolveSession(this.#sessions(), ref);
  }

  #keyOrNew(ref: string): string {
    try {
      return this.#resolve(ref).key;
    } catch (error) {
      if (error instanceof OperatorError && error.code === 'no_such_session') return ref;
      throw error;
    }
  }
}
