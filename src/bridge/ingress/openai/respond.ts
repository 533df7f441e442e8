// A reader's items → one HTTP response: a stream, or one object. The turn does not depend on it.
import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { newerMessage } from '../../../domain/message/steer.ts';
import { closing } from '../../../domain/question/dialect.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { dialectOf, waitsBehindText } from '../../../domain/question/question-text.ts';
import type { Ask } from '../../../domain/state/session.ts';
import type { Readable } from '../../../domain/state/text.ts';
import type { Hold, Turn } from '../../../domain/state/turn.ts';
import { maskedWords } from '../../../domain/words/masked-words.ts';
import { problemText } from '../../../domain/words/problem-text.ts';
import { gap, keptWords, lateAnswerHead, paragraph, stoppedWords } from '../../../domain/words/turn-words.ts';
import { hungUp } from '../../app/hangups.ts';
import type { Mask, OutgoingText } from '../../app/masking.ts';
import type { ReaderItem } from '../../app/reader/reader-item.ts';
import { Said } from '../../app/said.ts';
import type { ResponseHead, ToolCall } from './answer/answer.ts';
import { answerObject } from './answer/answer-object.ts';
import { ClientPace } from './answer/client-pace.ts';
import { longText, partsOf } from './answer/long-text.ts';
import type { Progress } from './answer/progress.ts';
import { StreamWriter, type StreamWriterOptions } from './answer/stream-writer.ts';

export interface ResponseOptions {
  api: 'chat' | 'responses';
  head: ResponseHead;
  includeUsage: boolean;
  inputCharacters: number;
  /** The turn the request asked for; earlier ones are marked as late answers. */
  target: string;
  /** Turns whose answer the client does not have, although it was sent. */
  lost?: ReadonlyMap<string, number>;
  /** Words of our own in front of everything. */
  note?: string;
  /** Leaves secrets out of what goes out. */
  mask(): Promise<Mask>;
  /** Keeps what the response said: it is whole now. */
  said(all: Readable, calls: readonly ToolCall[]): void;
  /** What is said at the end of a turn besides Claude's own text. */
  endingWords(turn: Turn): string;
  /** Why a message waits, and for what. */
  heldWords(turn: Turn, hold: Hold): string;
  /** How a permission question is put in this chat. @param before what the response says before it */
  question(ask: Ask, before: string): string;
  /** Lines about the tools of the target; undefined for none. */
  progress?: Progress | undefined;
}

type ScriptOptions = Pick<
  ResponseOptions,
  'target' | 'lost' | 'note' | 'endingWords' | 'heldWords' | 'question' | 'progress'
>;

/** Text and calls in the order a client reads them. Pure but for what it remembers of the text so far. */
export class Script {
  readonly #options: ScriptOptions;
  readonly #said = new Said();
  /** From here on it may be that Claude left a block open. */
  #closedAt = 0;
  /** A line of ours is the last thing that was said. */
  #broken = false;
  calls: ToolCall[] = [];
  /** Where questions stand: a person decides by their words. */
  readonly asked: (readonly [from: number, to: number])[] = [];

  constructor(options: ScriptOptions) {
    this.#options = options;
  }

  /** Everything so far. */
  get said(): Said {
    return this.#said;
  }

  /** @returns the text before the first item, '' for none. */
  begin(): string {
    return this.#say(this.#options.note ?? '');
  }

  /** @returns the text this item adds, '' for none. */
  add(item: ReaderItem): string {
    const { target, progress } = this.#options;
    const isAside = item.kind !== 'text' && item.kind !== 'end' && item.turn.id === target;
    const lines = isAside ? (progress?.pause() ?? []) : [];
    return `${lines.map(({ words }) => this.#line(words)).join('')}${this.#item(item)}`;
  }

  /** @returns what is to be said of the tools that run just now, '' for nothing */
  running(): string {
    return this.#line(this.#options.progress?.running() ?? '');
  }

  #item(item: ReaderItem): string {
    switch (item.kind) {
      case 'text':
        // Whoever stopped a turn does not want its half answer with the next one.
        if (this.#isStopped(item.turn)) return '';
        return this.#text(item);
      case 'settled':
        if (this.#isStopped(item.turn)) return this.#paragraph(stoppedWords(item.turn));
        return this.#paragraph(this.#options.endingWords(item.turn));
      case 'not_kept':
        return this.#paragraph(problemText(item.code));
      case 'kept':
        return this.#paragraph(keptWords(item.turn));
      case 'held':
        return this.#paragraph(this.#options.heldWords(item.turn, item.hold));
      case 'question':
        return this.#questions(item);
      case 'outcome':
        return item.asks.map((ask) => this.#paragraph(`_${outcomeText(ask)}_`)).join('');
      case 'tool_calls':
        this.calls = item.calls.map(({ call, tool, args }) => ({ id: call, name: tool, args }));
        return '';
      case 'end':
        return '';
    }
  }

  /** What a chat has read is not asked whole again because somebody wrote on. */
  #questions({ turn, asks }: Extract<ReaderItem, { kind: 'question' }>): string {
    const { target, lost, question } = this.#options;
    const isAgain = ({ told }: Ask) => turn.id !== target && told !== 'nothing' && !lost?.has(turn.id);
    const again = asks.filter(isAgain);
    const waits =
      again.length === 0
        ? ''
        : waitsBehindText(again, { dialect: dialectOf(turn), before: String(this.#said) });
    const said = this.#paragraph(waits);
    const fresh = asks.filter((ask) => !isAgain(ask));
    return said + fresh.map((ask) => this.#question(question(ask, String(this.#said)))).join('');
  }

  #question(words: string): string {
    const from = this.#said.length;
    const said = this.#paragraph(words);
    this.asked.push([from, this.#said.length]);
    return said;
  }

  /** Lines stand where they belong, however late the text is read. */
  #text({ turn, text, end, first }: Extract<ReaderItem, { kind: 'text' }>): string {
    const { target, progress } = this.#options;
    const lines = turn.id === target ? (progress?.take(end) ?? []) : [];
    let said = '';
    let done = end - text.length;
    let fresh = first;
    const say = (until: number): void => {
      const part = text.slice(text.length - (end - done), text.length - (end - until));
      done = until;
      // What went before it was the paragraph's end, in an earlier response or behind a line.
      const words = fresh || this.#broken ? part.replace(/^\n+/, '') : part;
      if (words === '') return;
      if (fresh || this.#broken) {
        const head = fresh ? this.#late(turn) : '';
        said += this.#say(`${gap(this.#said.slice(-2), words)}${head}`);
      }
      this.#said.quote(turn.id, turn.answer.text, until - words.length, until);
      said += words;
      fresh = false;
      this.#broken = false;
    };
    for (const { at, words } of lines) {
      say(Math.max(done, at));
      said += this.#line(words);
    }
    say(end);
    return said;
  }

  #line(words: string): string {
    if (words === '') return '';
    const open = this.#said.slice(this.#closedAt);
    const closed = closing(open, this.#options.progress?.dialect ?? 'plain').trimStart();
    const said = this.#paragraph(`${closed === '' ? '' : `${closed}\n\n`}${words}`);
    this.#closedAt = this.#said.length;
    this.#broken = true;
    return said;
  }

  #isStopped(turn: Turn): boolean {
    const { cancelledBy } = turn;
    return turn.id !== this.#options.target && (cancelledBy === hungUp || cancelledBy === newerMessage);
  }

  #late(turn: Turn): string {
    const { target, lost } = this.#options;
    if (turn.id === target && !turn.adopted) return '';
    return turn.handed > 0 && !lost?.has(turn.id) ? '' : lateAnswerHead(turn);
  }

  #paragraph(text: string): string {
    return this.#say(paragraph(this.#said.slice(-2), text));
  }

  #say(words: string): string {
    this.#said.add(words);
    return words;
  }
}

/** All that waits, and that something was left out. @returns what it adds */
function finish(masked: OutgoingText): string {
  const rest = masked.take(true);
  const words = paragraph(masked.said.slice(-2), maskedWords(masked.count));
  masked.add(words);
  return rest + words;
}

/** How a response ended: with Claude's last word, otherwise, or because its client took nothing for too long. */
type Left = 'finished' | 'open' | 'stalled';

/** Collects the whole answer for a client that did not ask for a stream. */
export async function answerWhole(
  items: AsyncIterable<ReaderItem>,
  response: ServerResponse,
  options: ResponseOptions & { clock: Clock },
): Promise<Left> {
  const pace = new ClientPace(response, options.clock);
  const { api, head, inputCharacters } = options;
  const script = new Script(options);
  const masked = (await options.mask()).over(script.said, () => script.asked);
  script.begin();
  for await (const item of items) {
    script.add(item);
    if (item.kind !== 'end') continue;
    finish(masked);
    options.said(masked.said, script.calls);
    const { length } = masked.said;
    const text = length === 0 ? '' : longText;
    const answer = answerObject({
      api,
      head,
      text,
      characters: length,
      calls: script.calls,
      inputCharacters,
    });
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const part of partsOf(JSON.stringify(answer), masked.said)) await pace.write(part);
    await pace.end();
  }
  return pace.stalled ? 'stalled' : script.calls.length === 0 ? 'finished' : 'open';
}

/** Milliseconds without a word of Claude's after which nothing waits any longer: a tool may run for hours. */
const pauseMs = 1_000;

export interface StreamingOptions extends ResponseOptions, StreamWriterOptions {
  /** Milliseconds from its first text before which it does not finish. */
  holdMs: number;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
}

/** Streams the answer. Ends the response in order, or leaves it when the client is gone. */
export async function streamAnswer(
  items: AsyncIterable<ReaderItem>,
  response: ServerResponse,
  options: StreamingOptions,
): Promise<Left> {
  const { clock, holdMs, gone } = options;
  const writer = new StreamWriter(response, options);
  const script = new Script(options);
  let earliest = 0;
  const spoke = () => {
    earliest ||= clock.now() + holdMs;
  };
  const say = (text: string): Promise<void> | undefined => {
    if (text === '') return undefined;
    const room = writer.write((stream) => stream.text(text));
    if (room) return room.then(spoke);
    spoke();
    return undefined;
  };
  let finished = false;
  let cancel: Cancel | undefined;
  try {
    await writer.write((stream) => stream.open());
    const masked = (await options.mask()).over(script.said, () => script.asked);
    const rest = () => writer.aside((stream) => stream.text(masked.take(true)));
    script.begin();
    await say(masked.take(true));
    options.progress?.live(() =>
      writer.aside((stream) => {
        script.running();
        return stream.text(masked.take(true));
      }),
    );
    for await (const item of items) {
      cancel?.();
      script.add(item);
      const isEnd = item.kind === 'end';
      const room = say(isEnd ? finish(masked) : masked.take(item.kind !== 'text'));
      if (room) await room;
      cancel = masked.waits ? clock.after(pauseMs, rest) : undefined;
      if (!isEnd) continue;
      finished = script.calls.length === 0;
      options.said(masked.said, script.calls);
      if (finished && holdMs > 0) await until(clock, earliest, gone);
      // What is read out now must not grow meanwhile.
      options.progress?.close();
      const { said } = masked;
      const { calls } = script;
      const { inputCharacters } = options;
      await writer.write((stream) => stream.finish({ said, inputCharacters, calls }));
      await writer.end();
    }
  } finally {
    cancel?.();
    await writer.end();
  }
  return writer.stalled ? 'stalled' : finished ? 'finished' : 'open';
}

/** Resolves at `time` of the clock, or when `gone` aborts. */
function until(clock: Clock, time: number, gone: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(time - clock.now(), resolve);
  if (gone.aborted) resolve();
  gone.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(cancel);
}
