// What Claude has to say when no response is open: answers that came late, and questions nobody would see.
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { lateText, outcomeText } from '../../../domain/question/outcome.ts';
import { answerRoad, dialectOf, questionText } from '../../../domain/question/question-text.ts';
import { isForChat } from '../../../domain/state/errands.ts';
import { type Ask, findTurn, openAsks, type Session } from '../../../domain/state/session.ts';
import { isSettled, type Turn } from '../../../domain/state/turn.ts';
import { maskedWords } from '../../../domain/words/masked-words.ts';
import { endingWords, lateAnswerHead, paragraph } from '../../../domain/words/turn-words.ts';
import type { Mask, Masks } from '../../app/masking.ts';
import type { CallGateway, Conversations } from './hub-ports.ts';
import { sendParams, sourceChat } from './source-chat.ts';

export interface OutOfTurnOptions {
  clock: Clock;
  log: Log;
  conversations: Conversations;
  call: CallGateway;
  masks: Masks;
  /** Whether a card asks this question, and nothing else has to. */
  asksAlone(code: string): Promise<boolean>;
}

/** Milliseconds until a question, or the rest of an answer that no request will fetch, counts as unheard. */
const quietMs = 3_000;
/** OpenClaw repeats a failed request for up to 95 s (measured on 2026.9.6); what it fetches itself is not sent. */
const retriesMs = 120_000;
/** What is older was asked before anybody could be reached, milliseconds. */
const staleMs = 60 * 60_000;
const sendMs = 30_000;

export class OutOfTurn {
  readonly #options: OutOfTurnOptions;
  readonly #timers = new Map<string, Cancel>();

  constructor(options: OutOfTurnOptions) {
    this.#options = options;
  }

  /** A turn has ended: whoever asked has the answer, fetches it, or is sent it. */
  settled(session: Session, id: string): void {
    const turn = findTurn(session, id);
    if (!turn || !isUnheard(turn) || !sourceChat(session.key, turn)?.chat) return;
    this.#later(`answer ${id}`, unheardMs(session, turn), () => this.#sendAnswer(session.key, id));
  }

  /** A question was asked, or lost the card that asked it. */
  asked(session: Session, code: string): void {
    this.#later(`question ${code}`, quietMs, () => this.#sendQuestion(session.key, code));
  }

  /** A button was pressed after the question had been answered otherwise. */
  tooLate(key: string, code: string): void {
    const { conversations, log } = this.#options;
    const session = conversations.session(key);
    const ask = session?.asks.find((each) => each.code === code);
    const turn = session && turnOf(session, ask);
    if (!session || !ask || !turn) return;
    this.#send(session, turn, `_${lateText(ask)} Nothing was changed._`, `late-${code}`).catch(
      (error: unknown) => log.error('nobody was told that a button came too late', { code, error }),
    );
  }

  /** The answer was fetched, or the question answered. */
  done(name: 'answer' | 'question', id: string): void {
    this.#timers.get(`${name} ${id}`)?.();
    this.#timers.delete(`${name} ${id}`);
  }

  /** The gateway can be called, for the first time or again: what could not be sent before is looked after once more. */
  again(): void {
    const { conversations, clock } = this.#options;
    for (const session of conversations.sessions()) {
      for (const { id, acceptedAt } of session.turns)
        if (clock.wall() - acceptedAt < staleMs && !this.#timers.has(`answer ${id}`))
          this.settled(session, id);
      for (const ask of openAsks(session)) this.#stillAsked(session, ask);
    }
  }

  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** Nobody may have seen it: the bridge before, or the connection, ended first. OpenClaw's own repeats show it, too. */
  #stillAsked(session: Session, ask: Ask): void {
    const turn = turnOf(session, ask);
    const name = `question ${ask.code}`;
    if (!turn || ask.told !== 'nothing' || this.#timers.has(name)) return;
    const ms = Math.max(quietMs, unheardMs(session, turn));
    this.#later(name, ms, () => this.#sendQuestion(session.key, ask.code));
  }

  async #sendAnswer(key: string, id: string): Promise<void> {
    const { conversations, masks } = this.#options;
    const release = conversations.hold(id, sendMs);
    // A response has it. Should that break, nobody else would look after it.
    if (!release) return this.#later(`answer ${id}`, retriesMs, () => this.#sendAnswer(key, id));
    try {
      const session = conversations.session(key);
      const turn = session && findTurn(session, id);
      if (!session || !turn || !isUnheard(turn)) return;
      const asks = session.asks.filter((ask) => isUntold(ask) && ask.turn === id);
      const text = answerText(session, turn, asks);
      const sent = withoutSecrets(text, await masks.of(key));
      if (text !== '' && !(await this.#send(session, turn, sent, `${id}-${turn.handed}`))) return;
      for (const { code } of asks)
        conversations.dispatch(key, { type: 'permission.tell', code, what: 'outcome' });
      // On disk only after it was sent: sent twice, under the same key, the gateway delivers it once.
      conversations.dispatch(key, {
        type: 'reader.close',
        turn: id,
        request: 'gateway',
        start: turn.handed,
        offset: turn.answer.text.length,
        why: 'finished',
      });
    } finally {
      release();
    }
  }

  async #sendQuestion(key: string, code: string): Promise<void> {
    const { conversations, asksAlone, masks } = this.#options;
    if (await asksAlone(code)) return;
    const session = conversations.session(key);
    const ask = session?.asks.find((each) => each.code === code);
    const turn = session && turnOf(session, ask);
    if (!session || !ask || !turn || ask.state.name !== 'asked' || ask.told !== 'nothing') return;
    if (conversations.isRead(turn.id)) return;
    const road = answerRoad(turn, conversations.approversFor(key));
    const asked = questionText(ask, { road, dialect: dialectOf(turn), before: '' });
    // A person decides by its words: only what the bridge itself has to keep is left out.
    const question = (await masks.of(key)).own(asked);
    if (await this.#send(session, turn, question, `ask-${code}`))
      conversations.dispatch(key, { type: 'permission.tell', code, what: 'question' });
  }

  /** @returns false when it did not arrive; it is then said with the next message, as without a gateway */
  async #send(session: Session, turn: Turn, text: string, name: string): Promise<boolean> {
    const { call, log } = this.#options;
    const source = sourceChat(session.key, turn);
    const params = source && sendParams(source, text, `synthesis-${name}`);
    if (!params) return false;
    try {
      await call('send', params, sendMs);
      return true;
    } catch (error) {
      log.warn('a message could not be sent out of turn', { session: session.key, error });
      return false;
    }
  }

  #later(name: string, ms: number, act: () => Promise<void>): void {
    const { clock, log } = this.#options;
    this.#timers.get(name)?.();
    const cancel = clock.after(ms, () => {
      this.#timers.delete(name);
      act().catch((error: unknown) => log.error('nothing was sent out of turn', { name, error }));
    });
    this.#timers.set(name, cancel);
  }
}

/** An answer in one piece as it goes out. */
function withoutSecrets(answer: string, mask: Mask): string {
  const { text, count } = mask.whole(answer);
  return `${text}${paragraph(text, maskedWords(count))}`.trim();
}

/** What a reader of the chat has not seen of a turn that has ended. */
function answerText(session: Session, turn: Turn, asks: readonly Ask[]): string {
  const rest = turn.answer.text.slice(turn.handed).replace(/^\n+/, '');
  const outcomes = asks.map((ask) => `_${outcomeText(ask)}_`).join('\n');
  const head = turn.handed > 0 || rest === '' ? '' : lateAnswerHead(turn);
  const words = endingWords(turn, session.key, session.claude);
  const answer = `${head}${rest}${paragraph(rest, words)}`;
  return `${outcomes}${paragraph(outcomes, answer)}`.trim();
}

/** Whoever stopped a turn does not want its answer; a scheduled run is fetched by its own request. */
const isUnheard = (turn: Turn): boolean =>
  isSettled(turn) &&
  !turn.answered &&
  turn.cancelledBy === undefined &&
  turn.meta.unattended === undefined &&
  isForChat(turn);

/** Answered through another door, and the chat has only seen the question. */
const isUntold = ({ told, state }: Ask): boolean =>
  told === 'question' && state.name !== 'asked' && state.by !== 'chat';

/**
 * Milliseconds after which nobody fetches what this turn says. A response that ended with a question which was answered
 * elsewhere, or with the word that the message waits, is not asked for again; any other is, by OpenClaw's own repeats. Nobody has asked for what Claude begins.
 */
export function unheardMs(session: Session | undefined, turn: Turn): number {
  if (turn.origin) return 0;
  if (turn.waited) return quietMs;
  const over = session?.asks.some(
    ({ turn: of, told, state }) =>
      of === turn.id && told !== 'nothing' && state.name !== 'asked' && state.by !== 'chat',
  );
  return over ? quietMs : retriesMs;
}

const turnOf = (session: Session, ask: Ask | undefined): Turn | undefined =>
  ask?.turn === undefined ? undefined : findTurn(session, ask.turn);
