// A reader's items → the words that a client reads, and the calls behind them.
import { newerMessage } from '../../../domain/message/steer.ts';
import { closing } from '../../../domain/question/dialect.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { dialectOf, waitsBehindText } from '../../../domain/question/question-text.ts';
import type { Ask } from '../../../domain/state/session.ts';
import type { Hold, Turn } from '../../../domain/state/turn.ts';
import { problemText } from '../../../domain/words/problem-text.ts';
import { gap, keptWords, lateAnswerHead, paragraph, stoppedWords } from '../../../domain/words/turn-words.ts';
import { hungUp } from '../../app/hangups.ts';
import type { ReaderItem } from '../../app/reader/reader-item.ts';
import { Said } from '../../app/said.ts';
import type { ToolCall } from './answer/answer.ts';
import type { Progress } from './answer/progress.ts';

export interface ScriptOptions {
  /** The turn the request asked for; earlier ones are marked as late answers. */
  target: string;
  /** Turns whose answer the client does not have, although it was sent. */
  lost?: ReadonlyMap<string, number>;
  /** Words of our own in front of everything. */
  note?: string;
  /** What is said at the end of a turn besides Claude's own text. */
  endingWords(turn: Turn): string;
  /** Why a message waits, and for what. */
  heldWords(turn: Turn, hold: Hold): string;
  /** How a permission question is put in this chat. @param before what the response says before it */
  question(ask: Ask, before: string): string;
  /** Lines about the tools of the target; undefined for none. */
  progress?: Progress | undefined;
}

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

  /** Says what stands before the first item. */
  begin(): void {
    this.#said.add(this.#options.note ?? '');
  }

  add(item: ReaderItem): void {
    const { target, progress } = this.#options;
    const isAside = item.kind !== 'text' && item.kind !== 'end' && item.turn.id === target;
    const lines = isAside ? (progress?.pause() ?? []) : [];
    for (const { words } of lines) this.#line(words);
    this.#item(item);
  }

  /** Says which tools run just now. */
  running(): void {
    this.#line(this.#options.progress?.running() ?? '');
  }

  #item(item: ReaderItem): void {
    switch (item.kind) {
      case 'text':
        // Whoever stopped a turn does not want its half answer with the next one.
        if (!this.#isStopped(item.turn)) this.#text(item);
        return;
      case 'settled':
        this.#paragraph(
          this.#isStopped(item.turn) ? stoppedWords(item.turn) : this.#options.endingWords(item.turn),
        );
        return;
      case 'not_kept':
        this.#paragraph(problemText(item.code));
        return;
      case 'kept':
        this.#paragraph(keptWords(item.turn));
        return;
      case 'held':
        this.#paragraph(this.#options.heldWords(item.turn, item.hold));
        return;
      case 'question':
        this.#questions(item);
        return;
      case 'outcome':
        for (const ask of item.asks) this.#paragraph(`_${outcomeText(ask)}_`);
        return;
      case 'tool_calls':
        this.calls = item.calls.map(({ call, tool, args }) => ({ id: call, name: tool, args }));
        return;
      case 'end':
        return;
    }
  }

  /** What a chat has read is not asked whole again because somebody wrote on. */
  #questions({ turn, asks }: Extract<ReaderItem, { kind: 'question' }>): void {
    const { target, lost, question } = this.#options;
    const isAgain = ({ told }: Ask) => turn.id !== target && told !== 'nothing' && !lost?.has(turn.id);
    const again = asks.filter(isAgain);
    const waits =
      again.length === 0
        ? ''
        : waitsBehindText(again, { dialect: dialectOf(turn), before: String(this.#said) });
    this.#paragraph(waits);
    for (const ask of asks) if (!isAgain(ask)) this.#question(question(ask, String(this.#said)));
  }

  #question(words: string): void {
    const from = this.#said.length;
    this.#paragraph(words);
    this.asked.push([from, this.#said.length]);
  }

  /** Lines stand where they belong, however late the text is read. */
  #text({ turn, text, end, first }: Extract<ReaderItem, { kind: 'text' }>): void {
    const { target, progress } = this.#options;
    const lines = turn.id === target ? (progress?.take(end) ?? []) : [];
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
        this.#said.add(`${gap(this.#said.slice(-2), words)}${head}`);
      }
      this.#said.quote(turn.id, turn.answer.text, until - words.length, until);
      fresh = false;
      this.#broken = false;
    };
    for (const { at, words } of lines) {
      say(Math.max(done, at));
      this.#line(words);
    }
    say(end);
  }

  #line(words: string): void {
    if (words === '') return;
    const open = this.#said.slice(this.#closedAt);
    const closed = closing(open, this.#options.progress?.dialect ?? 'plain').trimStart();
    this.#paragraph(`${closed === '' ? '' : `${closed}\n\n`}${words}`);
    this.#closedAt = this.#said.length;
    this.#broken = true;
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

  #paragraph(text: string): void {
    this.#said.add(paragraph(this.#said.slice(-2), text));
  }
}
