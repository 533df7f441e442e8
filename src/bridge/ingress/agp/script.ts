// What a reader hands out → text and tool calls in the order in which they are sent, and how the prompt ends. Pure but
// for what it remembers.
import { never } from '../../../base/never.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { questionText, waitsBehindText } from '../../../domain/question/question-text.ts';
import type { Ask, Session } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import { heldText } from '../../../domain/words/held-text.ts';
import { maskedWords } from '../../../domain/words/masked-words.ts';
import { problemText } from '../../../domain/words/problem-text.ts';
import { endingWords, gap, lateAnswerHead, paragraph } from '../../../domain/words/turn-words.ts';
import type { ToolCall } from '../../../protocol/wire/agp.ts';
import type { Mask, OutgoingText } from '../../app/masking.ts';
import type { ReaderItem } from '../../app/reader/reader-item.ts';
import { Said } from '../../app/said.ts';
import { chunkEnd } from './chunks.ts';
import type { Ending } from './render.ts';
import { type ToolUse, toolCall } from './tool-call.ts';

/** The next thing to send. */
export type Utterance =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; type: 'tool_call' | 'tool_call_update'; call: ToolCall };

/** A tool use that began or ended while `at` characters of its turn's answer were written. */
export interface ToolMoment {
  use: ToolUse;
  phase: 'started' | 'succeeded' | 'failed';
  output?: string;
  turn: Turn;
}

export interface ScriptOptions {
  /** The turn that the prompt asked for; earlier ones are marked as late answers. */
  target: string;
  /** Session key and what its Claude Code was started with, for the words about a failure. */
  session: string;
  claude: Session['claude'];
  /** Words of our own in front of everything, '' for none. */
  note: string;
  /** The gateway asked for the end of this prompt: nobody has to be told why. */
  cancelled(): boolean;
  /** Leaves secrets out of what goes out. */
  mask: Mask;
}

/** Tool updates that wait to be sent; of more, the oldest tools are left out. */
const mostTools = 500;

export class Script {
  readonly #options: ScriptOptions;
  /** Everything that is to be said. */
  readonly #said = new Said();
  /** Where questions stand in it: a person decides by their words. */
  readonly #asked: (readonly [from: number, to: number])[] = [];
  /** The same without secrets, as far as it can go; what of that waits to be handed out; and how much was. */
  readonly #masked: OutgoingText;
  #out = '';
  #sent = 0;
  /** Handed out by an earlier reading. */
  #skipped = 0;
  /** How far each turn was read, in characters of its answer. */
  readonly #read = new Map<string, number>();
  /** Moments in text that was not read yet. */
  #ahead: { at: number; moment: ToolMoment }[] = [];
  /** In order; `at` is a position in what was said. */
  #tools: { at: number; type: 'tool_call' | 'tool_call_update'; call: ToolCall }[] = [];
  readonly #open = new Map<string, ToolUse>();
  #ending: Ending['stop'] | undefined;
  #words = '';

  constructor(options: ScriptOptions) {
    this.#options = options;
    this.#masked = options.mask.over(this.#said, () => this.#asked);
    this.#say(options.note);
  }

  /** Everything said, as the gateway gets it. */
  get text(): string {
    this.#pull(true, this.#said.length);
    const all = this.#masked.said.slice();
    return `${all}${paragraph(all.slice(-2), maskedWords(this.#masked.count))}`.toWellFormed();
  }

  /** How much of the text was handed out. */
  get sent(): number {
    return this.#sent;
  }

  /** Takes what was sent by an earlier reading of the same answer as sent. */
  skip(sent: number): void {
    this.#skipped = Math.max(sent, this.#skipped);
  }

  add(item: ReaderItem): void {
    switch (item.kind) {
      case 'text':
        return this.#text(item);
      case 'settled':
        return this.#settled(item.turn);
      case 'not_kept':
        this.#say(problemText(item.code));
        return;
      case 'outcome':
        for (const ask of item.asks) this.#say(`_${outcomeText(ask)}_`);
        return;
      case 'question':
        this.#questions(item);
        this.#place(() => true);
        for (const use of this.#open.values()) this.#update(use, 'pending');
        this.#ending = 'end_turn';
        return;
      case 'tool_calls':
        // Only another hub that shares the conversation could lend tools.
        this.#end('error', 'Claude waits for a tool that another client of this conversation has lent.');
        return;
      case 'held':
        this.#say(heldText(item.turn, item.hold, this.#options.session, this.#options.claude));
        this.#ending = 'end_turn';
        return;
      case 'kept':
      case 'end':
        return;
      default:
        return never(item);
    }
  }

  /** What was read is not asked whole again because somebody wrote on. */
  #questions({ turn, asks }: Extract<ReaderItem, { kind: 'question' }>): void {
    const place = { road: 'chat', dialect: 'plain', before: '' } as const;
    const isAgain = ({ told }: Ask) => turn.id !== this.#options.target && told !== 'nothing';
    const again = asks.filter(isAgain);
    if (again.length > 0) this.#say(waitsBehindText(again, place));
    for (const ask of asks) {
      if (isAgain(ask)) continue;
      const from = this.#said.length;
      this.#say(questionText(ask, place));
      this.#asked.push([from, this.#said.length]);
    }
  }

  tool(moment: ToolMoment): void {
    const at = moment.turn.answer.text.length;
    this.#ahead.push({ at, moment });
    const read = this.#read.get(moment.turn.id) ?? moment.turn.handed;
    if (at <= read) this.#place(({ turn }) => turn.id === moment.turn.id);
  }

  /** True once it is known how the prompt ends. */
  get complete(): boolean {
    return this.#ending !== undefined;
  }

  /** True when {@link next} has something to hand out. */
  pending(done: boolean): boolean {
    if (this.#tools.length > 0) return true;
    this.#pull(done, this.#said.length);
    return chunkEnd(this.#out, 0, this.#out.length, done) > 0;
  }

  /** @param done nothing follows: half a character does not wait any longer */
  next(done: boolean): Utterance | undefined {
    const tool = this.#tools[0];
    const limit = Math.min(tool?.at ?? this.#said.length, this.#said.length);
    // Nothing waits before a tool, as that may run for hours.
    this.#pull(done || tool !== undefined, limit);
    const end = chunkEnd(this.#out, 0, this.#out.length, done || tool !== undefined);
    if (end > 0) {
      const text = this.#out.slice(0, end).toWellFormed();
      this.#out = this.#out.slice(end);
      this.#sent += end;
      return { kind: 'text', text };
    }
    if (!tool) return undefined;
    this.#tools.shift();
    return { kind: 'tool', type: tool.type, call: tool.call };
  }

  /** Makes what can go ready to be handed out. */
  #pull(isEnd: boolean, limit: number): void {
    this.#out += this.#masked.take(isEnd, limit);
    const again = Math.min(this.#out.length, Math.max(0, this.#skipped - this.#sent));
    this.#out = this.#out.slice(again);
    this.#sent += again;
  }

  ending(): Ending {
    const stop = this.#ending ?? (this.#options.cancelled() ? 'cancelled' : 'error');
    switch (stop) {
      case 'end_turn':
        return { stop, text: this.text };
      case 'cancelled':
        return { stop };
      case 'error':
      case 'refusal':
        return { stop, words: this.#words || 'The answer to this message is not kept any more.' };
      default:
        return never(stop);
    }
  }

  #text({ turn, text, end, first }: Extract<ReaderItem, { kind: 'text' }>): void {
    const asked = turn.id === this.#options.target && !turn.adopted;
    const late = asked || turn.handed > 0 ? '' : lateAnswerHead(turn);
    if (first) this.#say(late);
    // What went before it was the end of a paragraph in an earlier response.
    const body = first ? text.replace(/^\n+/, '') : text;
    if (first && late === '') this.#said.add(gap(this.#said.slice(-2), body));
    this.#said.quote(turn.id, turn.answer.text, end - body.length, end);
    this.#read.set(turn.id, end);
    const position = (at: number) => this.#said.length - Math.min(end - at, body.length);
    this.#place((moment, at) => moment.turn.id === turn.id && at <= end, position);
  }

  #settled(turn: Turn): void {
    if (turn.phase.name !== 'settled') return;
    this.#place((moment) => moment.turn.id === turn.id);
    const { outcome } = turn.phase;
    for (const use of this.#open.values())
      this.#update(use, outcome === 'completed' ? 'completed' : 'failed');
    this.#open.clear();
    const words = endingWords(turn, this.#options.session, this.#options.claude);
    if (turn.id !== this.#options.target) {
      if (outcome !== 'cancelled') this.#say(words);
      return;
    }
    if (this.#options.cancelled()) return this.#end('cancelled', '');
    switch (outcome) {
      case 'completed':
        this.#say(words);
        return this.#end('end_turn', '');
      case 'cancelled':
        this.#say(words);
        return this.#end('cancelled', '');
      case 'failed':
      case 'expired':
        return this.#end('error', words);
      default:
        return never(outcome);
    }
  }

  #end(stop: Ending['stop'], words: string): void {
    this.#ending = stop;
    this.#words = words;
  }

  #say(text: string): void {
    this.#said.add(paragraph(this.#said.slice(-2), text));
  }

  /** Gives the moments that fit their place in what was said; without a position that is its end. */
  #place(fits: (moment: ToolMoment, at: number) => boolean, position = (_at: number) => this.#said.length) {
    const ready = this.#ahead.filter(({ at, moment }) => fits(moment, at));
    this.#ahead = this.#ahead.filter((each) => !ready.includes(each));
    for (const { at, moment } of ready) this.#moment(moment, position(at));
  }

  #moment({ use, phase, output }: ToolMoment, at: number): void {
    // The end of a tool that began in an earlier prompt: a question was asked in between.
    if (!this.#open.has(use.id)) {
      this.#open.set(use.id, use);
      this.#queue(at, 'tool_call', toolCall(use, 'in_progress'));
    }
    if (phase === 'started') return;
    this.#open.delete(use.id);
    const status = phase === 'succeeded' ? 'completed' : 'failed';
    this.#queue(at, 'tool_call_update', toolCall(use, status, output));
  }

  #update(use: ToolUse, status: 'pending' | 'completed' | 'failed'): void {
    this.#queue(this.#said.length, 'tool_call_update', toolCall(use, status));
  }

  #queue(at: number, type: 'tool_call' | 'tool_call_update', shown: ToolCall): void {
    const call = this.#withoutSecrets(shown);
    this.#tools.push({ at, type, call });
    if (this.#tools.length <= mostTools) return;
    const oldest = this.#tools[0]?.call.tool_call_id;
    this.#tools = this.#tools.filter((each) => each.call.tool_call_id !== oldest);
  }

  #withoutSecrets({ title, content, ...call }: ToolCall): ToolCall {
    const { mask } = this.#options;
    return {
      ...call,
      ...(title !== undefined && { title: mask.whole(title).text }),
      ...(content && { content: content.map((each) => ({ ...each, text: mask.whole(each.text).text })) }),
    };
  }
}
