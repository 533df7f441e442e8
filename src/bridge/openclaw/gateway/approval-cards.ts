// OpenClaw's approval cards, with buttons: one more door of a permission question. While a card is young, the response
// stays open and no text asks; after that text asks, too, and the first answer counts. A verdict is only ever given by
// the core: a card whose press came second is told so in the chat.
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { digestOf } from '../../../domain/question/picture.ts';
import { type Ask, findTurn, type Session } from '../../../domain/state/session.ts';
import { type CardDecision, cardOwner, cardRequest, fitsCard, shownDecision } from './approval-card.ts';
import { GatewayCallError } from './gateway-call-error.ts';
import { ApprovalAccepted, ApprovalDecision, ApprovalList } from './gateway-frame.ts';
import type { CallGateway, Conversations } from './hub-ports.ts';
import { type SourceChat, sourceChat } from './source-chat.ts';

export interface ApprovalCardOptions {
  clock: Clock;
  log: Log;
  conversations: Pick<Conversations, 'session' | 'sessions' | 'dispatch' | 'stored'>;
  call: CallGateway;
  /** From now on text has to ask this question. */
  byText(key: string, code: string): void;
  /** A card was pressed after its question had been answered otherwise; it shows the press. */
  tooLate(key: string, code: string): void;
}

interface Card {
  readonly key: string;
  readonly code: string;
  /** OpenClaw's name for it, once it was taken. */
  id?: string;
  /** `alone`: no text asks. `beside`: text asks, too. `over`: answered; the card only has to show it. */
  phase: 'alone' | 'beside' | 'over';
  /** Settled when it is known whether the chat has it. */
  readonly posted: PromiseWithResolvers<unknown>;
  cancel: Cancel;
}

/** Milliseconds in which a card has to be posted; then text asks. */
const postMs = 5_000;
/** Milliseconds that a card asks alone. An open response holds up whatever else is written in that chat. */
const aloneMs = 60_000;
/** Deadline of one call that does not wait for a person, milliseconds. */
const callMs = 30_000;

export class ApprovalCards {
  readonly #options: ApprovalCardOptions;
  /** By code. */
  readonly #cards = new Map<string, Card>();
  readonly #closing = new Set<Promise<void>>();

  constructor(options: ApprovalCardOptions) {
    this.#options = options;
  }

  /** A question was asked. */
  asked(session: Session, code: string): void {
    const ask = askOf(session, code);
    const turn = ask?.turn === undefined ? undefined : findTurn(session, ask.turn);
    const chat = turn && sourceChat(session.key, turn);
    if (ask?.state.name !== 'asked' || !chat || this.#cards.has(code) || !fitsCard(ask)) return;
    const card = newCard(session.key, code, 'alone');
    this.#cards.set(code, card);
    card.cancel = this.#options.clock.after(postMs, () => this.#byText(card));
    void this.#post(card, ask, chat);
  }

  /** Resolves with true when a card asks this question, and nothing else has to yet. */
  async asksAlone(code: string): Promise<boolean> {
    const card = this.#cards.get(code);
    if (card?.phase !== 'alone') return false;
    await card.posted.promise;
    return this.#cards.get(code)?.phase === 'alone';
  }

  /** Somebody writes on. OpenClaw keeps that until the open response ends, so text asks now, which ends it. */
  messageComes(key: string): void {
    for (const card of this.#cards.values()) if (card.key === key) this.#byText(card);
  }

  /** The question is not open any more: its card shows how it was answered. */
  answered(session: Session, code: string): void {
    const card = this.#cards.get(code);
    const ask = askOf(session, code);
    if (!card || !ask || card.phase === 'over') return;
    card.cancel();
    card.phase = 'over';
    card.posted.resolve(undefined);
    this.#show(card);
  }

  /** The gateway can be called, for the first time or again. What was asked before it went away is looked up. */
  async again(): Promise<void> {
    for (const card of this.#cards.values()) {
      if (card.id === undefined) continue;
      if (card.phase === 'over') this.#show(card);
      void this.#wait(card, card.id);
    }
    try {
      const open = ApprovalList.parse(await this.#options.call('plugin.approval.list', {}, callMs));
      for (const { id, request } of open)
        if (request.pluginId === cardOwner && request.toolCallId) this.#found(id, request.toolCallId);
    } catch (error) {
      this.#options.log.warn('the open approval cards could not be looked up', { error });
    }
  }

  /** Waits until cards show what they have to, up to `ms` milliseconds. */
  async close(ms: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, late.resolve);
    await Promise.race([Promise.allSettled([...this.#closing]), late.promise]);
    cancel();
    for (const card of this.#cards.values()) this.#drop(card);
  }

  async #post(card: Card, ask: Ask, chat: SourceChat): Promise<void> {
    const { clock, log, call, conversations } = this.#options;
    try {
      // A bridge that is killed before gives the question another code, and nobody would hear this card's button.
      await conversations.stored();
      const answer = await call('plugin.approval.request', cardRequest(ask, chat, clock.wall()), callMs);
      const { id, status } = ApprovalAccepted.parse(answer);
      // Without a route it is over at once, undecided.
      if (status !== 'accepted') return this.#drop(card);
      card.id = id;
      if (card.phase === 'over') this.#show(card);
      if (card.phase === 'alone') {
        card.cancel();
        card.cancel = clock.after(aloneMs, () => this.#byText(card));
        card.posted.resolve(undefined);
      }
      await this.#wait(card, id);
    } catch (error) {
      log.warn('no approval card could be posted', { code: card.code, error });
      this.#drop(card);
    }
  }

  /** Resolves when the card was pressed, is over, or the connection broke: then `again` takes it up. */
  async #wait(card: Card, id: string): Promise<void> {
    const { call, conversations, log } = this.#options;
    const left = askOf(conversations.session(card.key), card.code)?.expiresAt ?? 0;
    const ms = Math.max(callMs, left - this.#options.clock.wall() + callMs);
    try {
      const { decision } = ApprovalDecision.parse(await call('plugin.approval.waitDecision', { id }, ms));
      if (this.#cards.get(card.code) !== card) return;
      if (decision) this.#decided(card, decision.startsWith('allow') ? 'allow-once' : 'deny');
      this.#drop(card);
    } catch (error) {
      if (this.#cards.get(card.code) !== card) return;
      const broke = error instanceof GatewayCallError && (error.code === 'lost' || error.code === 'down');
      if (broke) return this.#byText(card);
      // OpenClaw forgets its cards when it is restarted.
      log.warn('an approval card is gone', { code: card.code, error });
      this.#drop(card);
    }
  }

  #decided(card: Card, decision: CardDecision): void {
    const { conversations, tooLate } = this.#options;
    const { key, code, phase } = card;
    card.phase = 'over';
    card.posted.resolve(undefined);
    const verdict = decision === 'allow-once' ? 'allow' : 'deny';
    const ask = askOf(conversations.session(key), code);
    if (phase !== 'over' && ask) {
      // A card is posted only with all of it.
      const shown = digestOf(ask);
      const answer = { type: 'permission.decide', code, verdict, by: 'gateway', shown } as const;
      if (conversations.dispatch(key, answer).ok) return;
    }
    const now = askOf(conversations.session(key), code);
    if (now && shownDecision(now) !== decision) tooLate(key, code);
  }

  #show(card: Card): void {
    const { id, key, code } = card;
    const { conversations, call, log } = this.#options;
    const ask = askOf(conversations.session(key), code);
    const decision = ask && shownDecision(ask);
    if (id === undefined || !decision) return;
    const done = call('plugin.approval.resolve', { id, decision }, callMs).then(
      () => {},
      // Somebody pressed in the same moment, or the gateway is away; the wait for its decision tells which.
      (error: unknown) => log.debug('a card could not be closed', { code, error }),
    );
    this.#closing.add(done);
    void done.then(() => this.#closing.delete(done));
  }

  /** An approval of ours is open that this process did not ask for, or has lost sight of. */
  #found(id: string, code: string): void {
    const { conversations } = this.#options;
    const session = conversations.sessions().find((each) => askOf(each, code));
    const ask = askOf(session, code);
    // Another bridge's, which uses the same gateway.
    if (!session || !ask || this.#cards.has(code)) return;
    const card = newCard(session.key, code, ask.state.name === 'asked' ? 'beside' : 'over');
    card.id = id;
    this.#cards.set(code, card);
    if (card.phase === 'over') this.#show(card);
    void this.#wait(card, id);
  }

  #byText(card: Card): void {
    if (card.phase !== 'alone') return;
    card.cancel();
    card.phase = 'beside';
    card.posted.resolve(undefined);
    this.#options.byText(card.key, card.code);
  }

  /** There is no such card any more. If its question is open, somebody else has to ask. */
  #drop(card: Card): void {
    if (this.#cards.get(card.code) === card) this.#cards.delete(card.code);
    card.cancel();
    this.#byText(card);
  }
}

const newCard = (key: string, code: string, phase: Card['phase']): Card => ({
  key,
  code,
  phase,
  posted: Promise.withResolvers(),
  cancel: () => {},
});

const askOf = (session: Session | undefined, code: string): Ask | undefined =>
  session?.asks.find((each) => each.code === code);
