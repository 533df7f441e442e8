// One gateway's conversations: prompts become turns, turns become updates and one response each. What a prompt means is
// read in parse.ts and decided in intake.ts; what is sent is made in render.ts; here the parts are put together.
import type { Log } from '../../../base/log.ts';
import { never } from '../../../base/never.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { findTurn, owedReplies } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { encodeAgp, type PingMessage, parseAgp } from '../../../protocol/wire/agp.ts';
import type { Masks } from '../../app/masking.ts';
import type { Readers } from '../../app/reader/reader.ts';
import { AgpConnection, type ConnectionOptions, type ConnectionStatus } from './connection.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import { Lapses } from './lapses.ts';
import { Outbox } from './outbox.ts';
import { keyPrefix } from './parse.ts';
import { addressOf } from './render.ts';
import { Speakers } from './speakers.ts';
import { ToolLog } from './tool-log.ts';

export interface AgpOptions
  extends Omit<ConnectionOptions, 'handlers'>,
    Omit<IntakeOptions, 'speakers' | 'lapses'> {
  /** Sent where a prompt names none. */
  guid?: string;
  userId?: string;
  readers: Readers;
  masks: Masks;
  /** UUID v4. */
  newMessageId(): string;
  changed(status: ConnectionStatus): void;
}

/** Milliseconds that finished answers get to arrive when the bridge stops. */
const farewellMs = 2_000;
/** At most one answer to an application ping per this many milliseconds: two sides that answer pings must not race. */
const pingPauseMs = 1_000;

export class AgpIngress {
  readonly #options: AgpOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #outbox = new Outbox();
  readonly #connection: AgpConnection;
  readonly #speakers: Speakers;
  readonly #intake: Intake;
  readonly #lapses: Lapses;
  readonly #tools = new ToolLog();
  #ignored = 0;
  #pingedAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(options: AgpOptions) {
    const { clock, url, dispatcher, readers, masks, newMessageId } = options;
    this.#options = options;
    this.#clock = clock;
    this.#log = options.log.child({ gateway: url });
    this.#lapses = new Lapses(clock);
    this.#speakers = new Speakers({
      dispatcher,
      readers,
      masks,
      clock,
      log: this.#log,
      outbox: this.#outbox,
      newId: newMessageId,
      addressOf: ({ meta }) => addressOf(meta, options),
    });
    this.#intake = new Intake({ ...options, log: this.#log, speakers: this.#speakers, lapses: this.#lapses });
    this.#connection = new AgpConnection({ ...options, log: this.#log, handlers: this.#handlers() });
  }

  get url(): string {
    return this.#options.url;
  }

  status(): ConnectionStatus {
    return this.#connection.status();
  }

  /** Answers what the journal says is owed, and connects. Call after the sessions were recovered. */
  start(): void {
    for (const session of this.#options.dispatcher.sessionsEver()) {
      for (const reply of owedReplies(session)) {
        if (reply.meta.connection !== this.url) continue;
        const turn = reply.turn === undefined ? undefined : findTurn(session, reply.turn);
        // Nobody knows how much of it arrived, and what was streamed last may not be in the journal.
        this.#speakers.speak(session.key, reply, turn && mayHaveBegun(turn) ? 'response' : 'stream');
      }
    }
    this.#connection.start();
  }

  /** Give it every row as it is appended, before it changes the session. */
  observe({ session: key, event }: JournalRow): void {
    if (event.type !== 'activity' && event.type !== 'turn.settled') return;
    if (!key.startsWith(keyPrefix(this.url))) return;
    if (event.type === 'turn.settled') return this.#tools.forget(event.turn);
    const session = this.#options.dispatcher.session(key);
    const turn = session && event.turn !== undefined ? findTurn(session, event.turn) : undefined;
    if (turn?.ingress !== 'agp' || turn.adopted) return;
    const use = this.#tools.use(turn.id, event);
    const { phase, output } = event;
    this.#speakers.tool(key, { use, phase, turn, ...(output !== undefined && { output }) });
  }

  /** Sends what is finished, leaves the rest owed, and hangs up. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.status().state === 'connected') {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = this.#clock.after(farewellMs, resolve);
      await Promise.race([late, this.#speakers.finished()]);
      cancel();
    }
    this.#lapses.close();
    this.#speakers.close();
    this.#outbox.close();
    this.#connection.close();
  }

  #handlers(): ConnectionOptions['handlers'] {
    return {
      opened: (link) => {
        this.#speakers.connected();
        this.#outbox.attach(link);
      },
      text: (text) => this.#take(text),
      pong: (payload) => {
        if (this.#outbox.pong(payload)) this.#connection.useful();
      },
      ping: () => this.#outbox.ping(),
      lost: () => this.#outbox.detach(),
      changed: (status) => this.#options.changed(status),
    };
  }

  #take(text: string): void {
    const parsed = parseAgp(text);
    if (!parsed.ok) {
      this.#notUnderstood(parsed.words);
      if (parsed.prompt) this.#intake.unreadable(parsed.prompt);
      return;
    }
    const { message } = parsed;
    switch (message.method) {
      case 'session.prompt':
        this.#connection.useful();
        return this.#intake.prompt(message);
      case 'session.cancel':
        return this.#intake.cancel(message);
      case 'ping':
        return this.#ping(message);
      default:
        return never(message);
    }
  }

  /** Said ever more rarely: a gateway that speaks something else must not fill the log. */
  #notUnderstood(words: string): void {
    this.#ignored += 1;
    if ((this.#ignored & (this.#ignored - 1)) !== 0) return;
    this.#log.warn('a frame of the gateway was not understood', { words, frames: this.#ignored });
  }

  #ping({ guid, user_id, payload }: PingMessage): void {
    const { guid: ownGuid, userId, newMessageId } = this.#options;
    if (this.#clock.now() - this.#pingedAt < pingPauseMs) return;
    this.#pingedAt = this.#clock.now();
    const device = guid ?? ownGuid;
    const user = user_id ?? userId;
    this.#outbox.send(
      encodeAgp({
        msg_id: newMessageId(),
        method: 'ping',
        payload: isSmallRecord(payload) ? payload : {},
        ...(device !== undefined && { guid: device }),
        ...(user !== undefined && { user_id: user }),
      }),
    );
  }
}

/** Claude may have said something before the bridge ended. */
const mayHaveBegun = ({ phase }: Turn): boolean =>
  phase.name === 'delivering' ? phase.handed === true : phase.name !== 'queued' && phase.name !== 'joining';

function isSmallRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return JSON.stringify(value).length <= 1_024;
}
