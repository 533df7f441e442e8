// The optional client of OpenClaw's gateway: approval cards, messages out of turn, tools out of turn. It reads the journal
// like everybody else and gives commands like any other caller; without a gateway only Claude's own `reply` is answered.
import type { TokenSource } from '../../../base/files/token-source.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { ToolFailure } from '../../../domain/tools/tool-envelope.ts';
import type { GatewayStatus } from '../../../domain/views/control.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { Masks } from '../../app/masking.ts';
import { ApprovalCards } from './approval-cards.ts';
import { GatewayLink } from './gateway-link.ts';
import type { CallGateway, Conversations } from './hub-ports.ts';
import { HubTools } from './hub-tools.ts';
import { type Invocation, invokeTool } from './invoke-tool.ts';
import { OutOfTurn } from './out-of-turn.ts';

export interface OpenClawHubOptions {
  /** `http://127.0.0.1:18789` or `ws://…`; undefined when the operator has not named one. */
  gateway: { url: string; token: TokenSource } | undefined;
  version: string;
  clock: Clock;
  log: Log;
  conversations: Conversations;
  masks: Masks;
  /** Files, and folders with all that is in them, that no `reply` sends. */
  neverSent: readonly string[];
  /** The status is another one. */
  changed(): void;
}

interface Reached {
  url: string;
  link: GatewayLink;
  cards: ApprovalCards;
  outOfTurn: OutOfTurn;
}

/** Milliseconds that cards get to show how their questions ended when the bridge stops. */
const farewellMs = 1_000;

export class OpenClawHub {
  readonly #conversations: Conversations;
  readonly #reached: Reached | undefined;
  readonly #tools: HubTools;
  readonly #gone = new AbortController();

  constructor(options: OpenClawHubOptions) {
    const { gateway, clock, log, conversations, neverSent } = options;
    this.#conversations = conversations;
    if (gateway) this.#reached = this.#reach(gateway, options);
    const link = this.#reached?.link;
    this.#tools = new HubTools({
      clock,
      log,
      conversations,
      neverSent,
      gateway:
        gateway && link
          ? {
              call: (...args) => link.call(...args),
              invoke: (invocation) => this.#invoke(gateway, invocation),
            }
          : undefined,
    });
  }

  start(): void {
    for (const session of this.#conversations.sessions()) this.#tools.again(session);
    this.#reached?.link.start();
  }

  /** Idempotent. Cards get a moment to show how their questions ended. */
  async close(): Promise<void> {
    this.#gone.abort();
    this.#tools.close();
    this.#reached?.outOfTurn.close();
    // What was observed up to here is looked at first.
    await Promise.resolve();
    await this.#reached?.cards.close(farewellMs);
    this.#reached?.link.close();
  }

  /** Undefined when no gateway is configured. */
  get status(): GatewayStatus | undefined {
    if (!this.#reached) return undefined;
    const { since, ...status } = this.#reached.link.status;
    return { kind: 'openclaw', url: this.#reached.url, ...status, since: new Date(since).toISOString() };
  }

  /** When its gateway was seen to be gone last, monotonic ms; undefined when it never was. */
  get lostAt(): number | undefined {
    return this.#reached?.link.lostAt;
  }

  /** Finds out whether the gateway is still there, unless a connection to it says so. */
  look(): void {
    this.#reached?.link.look();
  }

  /** Resolves with true while a card asks this question, so that no text has to. */
  async asksAlone(code: string): Promise<boolean> {
    // Whoever was woken by an earlier row of the same step may ask before the question's own row was looked at.
    await Promise.resolve();
    return (await this.#reached?.cards.asksAlone(code)) ?? false;
  }

  /** A message is on its way to this conversation. */
  messageComes(key: string): void {
    this.#reached?.cards.messageComes(key);
  }

  /** Give it every row as it is appended. */
  observe(row: JournalRow): void {
    // The fold follows the row, in the same step; what is looked at here has to be folded.
    queueMicrotask(() => this.#see(row));
  }

  #see({ session: key, event }: JournalRow): void {
    const session = this.#conversations.session(key);
    if (!session) return;
    const { cards, outOfTurn } = this.#reached ?? {};
    switch (event.type) {
      case 'permission.asked':
        cards?.asked(session, event.code);
        outOfTurn?.asked(session, event.code);
        return;
      case 'permission.decided':
      case 'permission.settled':
        cards?.answered(session, event.code);
        outOfTurn?.done('question', event.code);
        return;
      case 'turn.settled':
        outOfTurn?.settled(session, event.turn);
        return;
      case 'reader.closed':
        if (event.why === 'finished') outOfTurn?.done('answer', event.turn);
        if (event.why === 'tool_calls') this.#tools.handedOut(event.turn);
        return;
      case 'tool.called':
        this.#tools.called(session, event.call);
        return;
      case 'tool.answered':
      case 'tool.dropped':
        this.#tools.settled(event.call);
        return;
    }
  }

  #reach(gateway: { url: string; token: TokenSource }, options: OpenClawHubOptions): Reached {
    const { version, clock, log, conversations, masks, changed } = options;
    const url = socketUrl(gateway.url);
    const link = new GatewayLink({
      url,
      token: () => gateway.token(),
      version,
      clock,
      log,
      changed,
      up: () => {
        void cards.again();
        outOfTurn.again();
      },
    });
    const call: CallGateway = (...args) => link.call(...args);
    const shared = { clock, log, conversations, call };
    const cards = new ApprovalCards({
      ...shared,
      byText: (key, code) => {
        conversations.nudge(key);
        const session = conversations.session(key);
        if (session) outOfTurn.asked(session, code);
      },
      tooLate: (key, code) => outOfTurn.tooLate(key, code),
    });
    const outOfTurn = new OutOfTurn({ ...shared, masks, asksAlone: (code) => cards.asksAlone(code) });
    return { url, link, cards, outOfTurn };
  }

  async #invoke(gateway: { url: string; token: TokenSource }, invocation: Invocation): Promise<string> {
    const token = gateway.token();
    if (!token.ok) throw new ToolFailure('GATEWAY_REFUSED', token.words);
    return invokeTool(gateway.url.replace(/^ws/, 'http'), token.token, invocation, this.#gone.signal);
  }
}

const socketUrl = (url: string): string => url.replace(/^http/, 'ws').replace(/\/$/, '');
