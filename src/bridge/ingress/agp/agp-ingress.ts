// One gateway's conversations: prompts become turns, turns become updates and one response each. What a prompt means is
// read in parse.ts, what is sent is made in render.ts; here it is decided which answer is owed, and to whom.
import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { never } from '../../../base/never.ts';
import { emptySession, findTurn, owedReplies, type Reply, type Session } from '../../../domain/session.ts';
import type { CancelMessage, PingMessage, UnreadablePrompt } from '../../../protocol/agp.ts';
import { encodeAgp, type PromptMessage, parseAgp } from '../../../protocol/agp.ts';
import type { JournalRow, LaunchOptions } from '../../../protocol/events.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Readers } from '../../app/reader.ts';
import type { VerdictDesk } from '../../app/verdict-desk.ts';
import { AgpConnection, type ConnectionOptions, type ConnectionStatus } from './connection.ts';
import { Lapses } from './lapses.ts';
import { Outbox, type OutboxLink } from './outbox.ts';
import { type Asked, findReply, readPrompt, replyMeta, sessionKey, voiceOf } from './parse.ts';
import { addressOf } from './render.ts';
import { Speaker, theChat } from './speaker.ts';
import { ToolLog } from './tool-log.ts';

export interface AgpOptions
  extends Pick<
    ConnectionOptions,
    'url' | 'token' | 'reconnectMs' | 'maxAttempts' | 'heartbeatMs' | 'clock' | 'dial' | 'random' | 'log'
  > {
  /** Sent where a prompt names none. */
  guid?: string;
  userId?: string;
  dispatcher: Dispatcher;
  readers: Readers;
  verdicts: VerdictDesk;
  newTurnId(): string;
  newClaudeId(): string;
  /** UUID v4. */
  newMessageId(): string;
  launchFor(key: string): LaunchOptions;
  changed(status: ConnectionStatus): void;
}

/** Milliseconds that finished answers get to arrive when the bridge stops. */
const farewellMs = 2_000;
/** At most one answer to an application ping per this many milliseconds: two sides that answer pings must not race. */
const pingPauseMs = 1_000;
/** Responses whose arrival is remembered with the connection over which they went. */
const mostArrivals = 4_096;

export class AgpIngress {
  readonly #options: AgpOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #outbox = new Outbox();
  readonly #connection: AgpConnection;
  /** Answers on their way, oldest first. */
  readonly #speakers = new Set<Speaker>();
  readonly #tools = new ToolLog();
  readonly #lapses: Lapses;
  /** Reply → number of the connection over which it arrived. */
  readonly #arrivals = new Map<string, number>();
  #connections = 0;
  #ignored = 0;
  #pingedAt = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(options: AgpOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#log = options.log.child({ gateway: options.url });
    this.#lapses = new Lapses(this.#clock);
    this.#connection = new AgpConnection({
      ...options,
      log: this.#log,
      handlers: {
        opened: (link) => this.#opened(link),
        text: (text) => this.#take(text),
        pong: (payload) => {
          if (this.#outbox.pong(payload)) this.#connection.useful();
        },
        ping: () => this.#outbox.ping(),
        lost: () => this.#outbox.detach(),
        changed: (status) => options.changed(status),
      },
    });
  }

  get url(): string {
    return this.#options.url;
  }

  status(): ConnectionStatus {
    return this.#connection.status();
  }

  /** Answers what the journal says is owed, and connects. Call after the sessions were recovered. */
  start(): void {
    for (const session of this.#options.dispatcher.sessions()) {
      for (const reply of owedReplies(session)) {
        if (reply.meta.connection !== this.url) continue;
        const turn = reply.turn === undefined ? undefined : findTurn(session, reply.turn);
        // An answer that was being streamed when the bridge ended: nobody knows how much of it arrived.
        const begun = turn?.phase.name === 'settled';
        this.#speak(session.key, reply, begun ? 'response' : 'stream');
      }
    }
    this.#connection.start();
  }

  /** Give it every row as it is appended, before it changes the session. */
  observe({ session: key, event }: JournalRow): void {
    if (event.type !== 'activity' && event.type !== 'turn.settled') return;
    if (!key.startsWith(sessionKey(this.url, ''))) return;
    if (event.type === 'turn.settled') return this.#tools.forget(event.turn);
    const session = this.#options.dispatcher.session(key);
    const turn = session && event.turn !== undefined ? findTurn(session, event.turn) : undefined;
    if (turn?.ingress !== 'agp' || turn.adopted) return;
    const use = this.#tools.use(turn.id, event);
    const { phase, output } = event;
    const moment = { use, phase, turn, ...(output !== undefined && { output }) };
    // One turn of a session is in flight, and the oldest answer is the one that reads it.
    for (const speaker of this.#speakers) if (speaker.key === key) return speaker.tool(moment);
  }

  /** Sends what is finished, leaves the rest owed, and hangs up. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ready = [...this.#speakers].filter((speaker) => speaker.ready);
    if (ready.length > 0 && this.status().state === 'connected') await this.#allArrived(ready);
    this.#lapses.close();
    for (const speaker of this.#speakers) speaker.close();
    this.#outbox.close();
    this.#connection.close();
  }

  async #allArrived(speakers: readonly Speaker[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(farewellMs, resolve);
    await Promise.race([promise, Promise.all(speakers.map((speaker) => speaker.ended))]);
    cancel();
  }

  #opened(link: OutboxLink): void {
    this.#connections += 1;
    this.#outbox.attach(link);
  }

  #take(text: string): void {
    const parsed = parseAgp(text);
    if (!parsed.ok) {
      this.#ignored += 1;
      this.#log.warn('a frame of the gateway was not understood', {
        words: parsed.words,
        ignored: this.#ignored,
      });
      if (parsed.prompt) this.#unreadable(parsed.prompt);
      return;
    }
    const { message } = parsed;
    switch (message.method) {
      case 'session.prompt':
        return this.#prompt(message);
      case 'session.cancel':
        return this.#cancel(message);
      case 'ping':
        return this.#ping(message);
      default:
        return never(message);
    }
  }

  #prompt(message: PromptMessage): void {
    this.#connection.useful();
    const asked = readPrompt(this.url, message);
    const key = sessionKey(this.url, asked.sessionId);
    const session = this.#options.dispatcher.session(key);
    if (this.#isRepeat(key, session, asked)) return;
    if (this.#lapses.claim(asked)) return this.#answer(key, asked, '', 'cancelled');
    if (asked.text.trim() === '')
      return this.#answer(key, asked, 'There was no text in this message.', 'error');
    // A code of another conversation must not become the first message of this one.
    if (this.#verdict(key, session ?? emptySession(key), asked)) return;
    this.#submit(key, asked);
  }

  #unreadable(message: UnreadablePrompt): void {
    const asked = readPrompt(this.url, message);
    const key = sessionKey(this.url, asked.sessionId);
    if (this.#isRepeat(key, this.#options.dispatcher.session(key), asked)) return;
    this.#answer(key, asked, 'This message could not be read. Nothing was passed on.', 'error');
  }

  /** A prompt that came before is not asked twice. Its response is, if the gateway may have forgotten it since. */
  #isRepeat(key: string, session: Session | undefined, asked: Asked): boolean {
    const known = findReply(session, asked);
    if (!known) return this.#lapses.isOver(asked);
    const open = [...this.#speakers].some((speaker) => speaker.reply.id === known.id);
    const here = this.#arrivals.get(known.id) === this.#connections;
    this.#log.info('a prompt came again', { prompt: asked.promptId, answer: open ? 'open' : 'sent' });
    if (!open && !here) this.#speak(key, known, 'repeat');
    return true;
  }

  /** `yes <code>`: the turn that asked goes on, and this prompt gets the rest of its answer. */
  #verdict(key: string, session: Session, asked: Asked): boolean {
    const taken = this.#options.verdicts.take(session, asked.text, voiceOf(asked), asked.userId);
    if (!taken) return false;
    if (taken.kind === 'words') {
      this.#answer(key, asked, taken.text, taken.refused ? 'refusal' : 'end_turn');
      return true;
    }
    const words = taken.kind === 'late' ? taken.text : '';
    const turn = taken.ask.turn === undefined ? undefined : findTurn(session, taken.ask.turn);
    if (turn?.ingress === 'agp' && !turn.answered) this.#goOn(key, asked, turn.id, words);
    else this.#answer(key, asked, words || 'Your answer was passed on.', 'end_turn');
    return true;
  }

  /** This prompt gets what is unread of a turn that an earlier one started. */
  #goOn(key: string, asked: Asked, turn: string, words: string): void {
    const reply = { id: asked.id, turn, meta: replyMeta(this.url, asked), ...(words !== '' && { words }) };
    const { id, ...owed } = reply;
    this.#options.dispatcher.dispatch(key, { type: 'reply.owe', reply: id, ...owed });
    this.#speak(key, { ...reply, sent: false }, 'stream');
  }

  #submit(key: string, asked: Asked): void {
    const { dispatcher, newTurnId, newClaudeId, launchFor } = this.#options;
    const turn = newTurnId();
    const reply = { id: asked.id, meta: replyMeta(this.url, asked) };
    // Whatever another client lent to this conversation: nobody here could run it.
    dispatcher.dispatch(key, { type: 'catalog.set', tools: [] });
    const outcome = dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: newClaudeId(),
      launch: launchFor(key),
      ingress: 'agp',
      text: asked.text,
      meta: { source_channel: 'agp', source_chat: asked.sessionId },
      reply,
      ...(asked.userId !== undefined && { sender: { id: asked.userId } }),
    });
    if (outcome.ok) return this.#speak(key, { ...reply, turn, sent: false }, 'stream');
    this.#answer(
      key,
      asked,
      'The message could not be stored: is the disk full? Send it again later.',
      'error',
    );
  }

  /** An answer without Claude. It is owed like any other, once there is a session that can owe it. */
  #answer(
    key: string,
    asked: Asked,
    words: string,
    stop: 'end_turn' | 'refusal' | 'error' | 'cancelled',
  ): void {
    const { dispatcher } = this.#options;
    const meta = { ...replyMeta(this.url, asked), stop };
    if (dispatcher.session(key)?.ingress) {
      dispatcher.dispatch(key, { type: 'reply.owe', reply: asked.id, words, meta });
    } else this.#lapses.over(asked);
    this.#speak(key, { id: asked.id, words, meta, sent: false }, 'stream');
  }

  #cancel({ payload, ...envelope }: CancelMessage): void {
    const { session_id: sessionId, prompt_id: promptId } = payload;
    const key = sessionKey(this.url, sessionId);
    const mine = ({ meta }: Reply) => meta.prompt_id === promptId;
    const inSession = [...this.#speakers].filter((speaker) => speaker.key === key);
    const speaker = inSession.findLast((each) => mine(each.reply));
    if (speaker) return speaker.cancel();
    const { dispatcher } = this.#options;
    const known = dispatcher.session(key)?.replies.findLast(mine);
    if (!known) {
      const asked = readPrompt(this.url, { ...envelope, method: 'session.prompt', payload });
      return this.#lapses.expect(asked, () => this.#answer(key, asked, '', 'cancelled'));
    }
    // It ended with a question; what it asked for may still be at work.
    const { turn } = known;
    const isRead = inSession.some((each) => each.reply.turn === turn);
    if (turn !== undefined && !isRead) {
      dispatcher.dispatch(key, { type: 'turn.cancel', turn, by: theChat });
    }
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

  #speak(key: string, reply: Reply, mode: 'stream' | 'response' | 'repeat'): void {
    const { dispatcher, readers, newMessageId, guid, userId } = this.#options;
    const own = { ...(guid !== undefined && { guid }), ...(userId !== undefined && { userId }) };
    const speaker = new Speaker({
      key,
      reply,
      mode,
      address: addressOf(reply.meta, own),
      dispatcher,
      readers,
      outbox: this.#outbox,
      clock: this.#clock,
      log: this.#log,
      newId: newMessageId,
    });
    this.#speakers.add(speaker);
    speaker.start((arrived) => {
      this.#speakers.delete(speaker);
      if (arrived) this.#arrived(reply.id);
    });
  }

  #arrived(reply: string): void {
    this.#arrivals.delete(reply);
    this.#arrivals.set(reply, this.#connections);
    const oldest = this.#arrivals.keys().next();
    if (this.#arrivals.size > mostArrivals && !oldest.done) this.#arrivals.delete(oldest.value);
  }
}

function isSmallRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return JSON.stringify(value).length <= 1_024;
}
