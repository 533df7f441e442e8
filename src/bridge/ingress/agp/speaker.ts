// One prompt's answer on its way out: reads the turn, sends it piece by piece, and ends with exactly one response.
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { findTurn, type Reply } from '../../../domain/state/session.ts';
import { isSettled, type Turn } from '../../../domain/state/turn.ts';
import { type AgpUplink, encodeAgp } from '../../../protocol/wire/agp.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Masks } from '../../app/masking.ts';
import type { Readers } from '../../app/reader/reader.ts';
import type { Outbox } from './outbox.ts';
import { type Address, chunk, type Ending, promptResponse, toolUpdate } from './render.ts';
import { Script, type ToolMoment, type Utterance } from './script.ts';

export interface SpeakerOptions {
  key: string;
  reply: Reply;
  address: Address;
  dispatcher: Dispatcher;
  readers: Readers;
  masks: Masks;
  outbox: Outbox;
  clock: Clock;
  log: Log;
  newId(): string;
  /** `stream`: pieces, then the response. `response`: its pieces were sent before. `repeat`: so was the response. */
  mode: 'stream' | 'response' | 'repeat';
}

/** Who cancels when the gateway does. */
export const theChat = 'the chat';
/** Calls of one message arrive within a few milliseconds of each other; AGP has no tools, so nothing depends on it. */
const quietMs = 40;
/** Milliseconds until a reading that failed (a full disk) is tried again. */
const retryMs = 5_000;

export class Speaker {
  readonly #options: SpeakerOptions;
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #reading = new AbortController();
  #script: Script | undefined;
  /** Characters handed to the outbox, by this reading or one before it. */
  #sent = 0;
  #pumping: Promise<void> = Promise.resolve();

  constructor(options: SpeakerOptions) {
    this.#options = options;
  }

  get reply(): Reply {
    return this.#options.reply;
  }

  get key(): string {
    return this.#options.key;
  }

  /** True when nothing keeps the response from being sent but the connection. */
  get ready(): boolean {
    const turn = this.#turn();
    return turn === undefined || isSettled(turn);
  }

  /** True while what happens in the turn in flight belongs to this answer. */
  get isReading(): boolean {
    return this.#options.mode === 'stream' && this.#script?.complete === false && !this.ready;
  }

  /** Resolves when it is over, whatever came of it. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** @param done told true once the gateway has the response, false when it was closed before */
  start(done: (arrived: boolean) => void): void {
    this.#run().then(
      (arrived) => {
        done(arrived);
        this.#ended.resolve();
      },
      (error: unknown) => this.#options.log.error('an answer was given up', { error }),
    );
  }

  async #run(): Promise<boolean> {
    while (!this.#closing.signal.aborted) {
      try {
        return await this.#answer();
      } catch (error) {
        this.#options.log.error('an answer could not be read', { session: this.#options.key, error });
        await this.#pause();
      }
    }
    return false;
  }

  /** The gateway wants no answer any more. It is told so when the turn has really ended. */
  cancel(): void {
    const { key, dispatcher, reply } = this.#options;
    // What is finished is sent as it is.
    if (reply.turn === undefined || this.ready) return;
    dispatcher.dispatch(key, { type: 'turn.cancel', turn: reply.turn, by: theChat });
    // A turn that never started is not waited for behind those before it.
    if (this.ready) this.#reading.abort();
  }

  /** Claude began or ended to use a tool of its own. */
  tool(moment: ToolMoment): void {
    this.#script?.tool(moment);
    this.#pump(false).catch((error: unknown) =>
      this.#options.log.error('a tool call was not sent', { error }),
    );
  }

  /** Leaves the reply owed. Idempotent. */
  close(): void {
    this.#closing.abort();
    this.#reading.abort();
  }

  #turn(): Turn | undefined {
    const { dispatcher, key, reply } = this.#options;
    const session = dispatcher.session(key);
    return session && reply.turn !== undefined ? findTurn(session, reply.turn) : undefined;
  }

  async #answer(): Promise<boolean> {
    const { dispatcher, key, reply, readers, mode, masks } = this.#options;
    if (reply.turn === undefined) return this.#deliver(wordsEnding(reply));
    const script = new Script({
      target: reply.turn,
      session: key,
      claude: dispatcher.session(key)?.claude,
      note: reply.words ?? '',
      cancelled: () => wasCancelled(this.#turn()),
      mask: await masks.of(key),
    });
    this.#script = script;
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const items = readers.read({
      key,
      target: reply.turn,
      request: reply.id,
      signal,
      quietMs,
      interactive: true,
    });
    let proved = false;
    for await (const item of items) {
      script.add(item);
      script.skip(this.#sent);
      await this.#pump(item.kind === 'end');
      if (item.kind !== 'end') continue;
      proved = await this.#deliver(script.ending());
      // Only what arrived counts as read: returning here leaves it unread.
      if (!proved || mode === 'repeat') return proved;
    }
    if (proved || this.#closing.signal.aborted) return proved;
    return this.#dropped(script);
  }

  /** Cancelled while earlier turns were still being read; that broke off the reading. */
  async #dropped(script: Script): Promise<boolean> {
    const { dispatcher, key, reply } = this.#options;
    const proved = await this.#deliver(script.ending());
    const turn = this.#turn();
    if (proved && turn) {
      const { id, handed } = turn;
      const read = { turn: id, request: reply.id, start: handed, offset: handed } as const;
      dispatcher.dispatch(key, { type: 'reader.close', ...read, why: 'finished' });
    }
    return proved;
  }

  async #deliver(ending: Ending): Promise<boolean> {
    const { outbox, address, reply, dispatcher, key, mode } = this.#options;
    const proved = await outbox.deliver(encodeAgp(promptResponse(address, reply.id, ending)));
    if (proved && mode !== 'repeat') dispatcher.dispatch(key, { type: 'reply.sent', reply: reply.id });
    return proved;
  }

  /** Sends what can be sent. Callers take turns, so that pieces stay in order. */
  #pump(done: boolean): Promise<void> {
    const send = () => this.#send(done);
    this.#pumping = this.#pumping.then(send, send);
    return this.#pumping;
  }

  async #send(done: boolean): Promise<void> {
    const { outbox, mode } = this.#options;
    const script = this.#script;
    if (!script || mode !== 'stream') return;
    while (script.pending(done) && (await outbox.room())) {
      const next = script.next(done);
      if (next) outbox.send(encodeAgp(this.#frame(next)));
      this.#sent = Math.max(this.#sent, script.sent);
    }
  }

  #frame(utterance: Utterance): AgpUplink {
    const { address, newId } = this.#options;
    switch (utterance.kind) {
      case 'text':
        return chunk(address, newId(), utterance.text);
      case 'tool':
        return toolUpdate(address, newId(), utterance.type, utterance.call);
    }
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel: Cancel = this.#options.clock.after(retryMs, resolve);
    const { signal } = this.#closing;
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    await promise;
    cancel();
  }
}

/** Read from the turn, so that it is the same after a restart. */
function wasCancelled(turn: Turn | undefined): boolean {
  if (turn?.cancelledBy === theChat) return true;
  return (
    turn?.phase.name === 'settled' && turn.phase.outcome === 'cancelled' && turn.phase.detail === theChat
  );
}

/** Answered without Claude. The way it stops is kept with the reply. */
function wordsEnding({ words = '', meta }: Reply): Ending {
  switch (meta.stop) {
    case 'cancelled':
      return { stop: 'cancelled' };
    case 'refusal':
    case 'error':
      return { stop: meta.stop, words };
    default:
      return { stop: 'end_turn', text: words };
  }
}
