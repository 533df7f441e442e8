// What a response says of the tools of its turn, beside Claude's own text. Nothing of it is kept: it stands between two
// messages of an answer as this one reader shows it, and another reader of the same answer sees other lines or none.
import type { Cancel, Clock } from '../../../../base/time/clock.ts';
import { hub } from '../../../../domain/message/writer.ts';
import { claudeCall } from '../../../../domain/policy/call.ts';
import type { Dialect } from '../../../../domain/question/dialect.ts';
import { dialectOf } from '../../../../domain/question/question-text.ts';
import { findTurn, type Session } from '../../../../domain/state/session.ts';
import type { Turn } from '../../../../domain/state/turn.ts';
import { runningWords, type ToolUse, workWords } from '../../../../domain/words/progress-words.ts';
import type { SessionEvent } from '../../../../protocol/events/events.ts';
import type { ProgressMode } from '../../../../protocol/settings/config.ts';
import type { Dispatcher } from '../../../app/dispatcher.ts';
import { AgentsBeside } from './agents-beside.ts';
import { type OpenUse, type Stretch, timed } from './stretch.ts';

/** Milliseconds of tools without a word of Claude's that are worth a line, and that lie between two lines meanwhile. */
const longMs = 10_000;
/** Milliseconds that a tool runs before it is worth saying. */
const leastMs = 2_000;
/** Milliseconds before a tool that was said to run is said again because it is further: the line before it stays. */
const furtherMs = 60_000;
/** Tool uses that are open at a time; of more, the oldest is forgotten. */
const mostOpen = 200;
/** Milliseconds for which a tool may be told sooner than the text that Claude wrote before it (23 ms measured). */
const lateMs = 1_000;

export interface ProgressOptions {
  dispatcher: Dispatcher;
  clock: Clock;
  key: string;
  /** Only what belongs to this turn is told. */
  target: string;
  mode: ProgressMode;
}

/**
 * @returns undefined where nothing is to be said: it is off; nobody asked for the turn, so that its answer may be for a
 *   program; or the conversation is known by its texts alone, which these lines would change
 */
export function progressOf(options: ProgressOptions): Progress | undefined {
  const { dispatcher, key, target, mode } = options;
  const session = dispatcher.session(key);
  const turn = session && findTurn(session, target);
  if (mode === 'off' || !turn || session.guessed) return undefined;
  if (turn.adopted || turn.meta.unattended !== undefined || turn.meta.from === hub) return undefined;
  return new Progress(options, session, turn);
}

/** A line, and behind how many characters of the answer it belongs. */
export interface Line {
  at: number;
  words: string;
}

/** Pure but for its clock and what it remembers, which does not grow with the turn. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly dialect: Dialect;
  readonly #open = new Map<string, OpenUse>();
  readonly #unwatch: () => void;
  #turn: Turn;
  #stretch: Stretch | undefined;
  #lines: Line[] = [];
  #saidAt = Number.NEGATIVE_INFINITY;
  readonly #beside: AgentsBeside;
  #cancel: Cancel | undefined;
  #tell: (() => void) | undefined;

  constructor(options: ProgressOptions, session: Session, turn: Turn) {
    this.#options = options;
    this.#turn = turn;
    this.dialect = dialectOf(turn);
    this.#beside = new AgentsBeside(options.clock.now());
    this.#beside.look(session, turn.id);
    // What began before this response and was asked about: it runs only now.
    for (const { toolUse, tool, input, state, turn: of, call } of session.asks) {
      const allowed = (state.name === 'decided' || state.name === 'sent') && state.verdict === 'allow';
      if (of === turn.id && allowed && toolUse !== undefined && call === undefined)
        this.#begin(toolUse, { tool, input });
    }
    for (const { call, tool, args, turn: of, provider, progress } of session.calls)
      if (provider !== undefined && of === turn.id)
        this.#begin(idOf(call), { tool, input: args, ...(progress !== undefined && { says: progress }) });
    this.#unwatch = options.dispatcher.watch(options.key, (now, rows) => {
      const before = this.#turn.answer.text.length;
      this.#turn = findTurn(now, turn.id) ?? this.#turn;
      for (const { event } of rows) this.#row(event, now);
      if (this.#turn.answer.text.length > before) this.#wrote();
      this.#beside.look(now, turn.id);
      this.#arm();
    });
  }

  /** The lines that belong in front of the answer's character `end`, oldest first. Each is given once. */
  take(end: number): Line[] {
    const due = this.#lines.filter(({ at }) => at < end);
    this.#lines = this.#lines.filter(({ at }) => at >= end);
    return due;
  }

  /** The response says something else than Claude's text, or ends. */
  pause(): Line[] {
    this.#end();
    this.#resume();
    return this.take(Number.POSITIVE_INFINITY);
  }

  /** Has `tell` called when there may be something to say of what runs just then. */
  live(tell: () => void): void {
    if (this.#options.mode !== 'full') return;
    this.#tell = tell;
    this.#arm();
  }

  /** What runs just now, '' for nothing new: to be said at once, behind all that Claude has written. */
  running(): string {
    // A message that is not complete would be torn in two.
    const isTorn = this.#turn.answer.messages.at(-1)?.done === false;
    if (isTorn || !this.#hasNews) return '';
    const stretch = this.#stretch;
    const newest = [...this.#open.values()].at(-1);
    if (stretch && newest) {
      stretch.news = false;
      return runningWords(newest, stretch.count - this.#open.size, this.dialect);
    }
    return this.#beside.words(this.dialect);
  }

  /** Idempotent. */
  close(): void {
    this.#unwatch();
    this.#cancel?.();
    this.#tell = undefined;
  }

  #row(event: SessionEvent, { asks }: Session): void {
    switch (event.type) {
      case 'activity':
        // What the hub lends it runs itself, and shows itself; a provider's tool runs from its call to its result.
        if (event.turn !== this.#turn.id || claudeCall(event.tool, event.input).lent) return;
        if (event.phase === 'started')
          return this.#begin(event.tool_use, { tool: event.tool, input: event.input });
        return this.#finish(event.tool_use);
      case 'tool.called':
        if (event.provider === undefined || event.turn !== this.#turn.id) return;
        return this.#begin(idOf(event.call), { tool: event.tool, input: event.args });
      case 'tool.progressed':
        return this.#further(idOf(event.call), event.text);
      case 'tool.answered':
      case 'tool.dropped':
        return this.#finish(idOf(event.call));
      case 'permission.asked':
        // While somebody is asked nothing runs.
        if (event.turn === this.#turn.id) this.#end();
        return;
      case 'permission.decided': {
        const toolUse = asks.find(({ code }) => code === event.code)?.toolUse;
        if (event.verdict === 'deny' && toolUse !== undefined) this.#open.delete(toolUse);
        return this.#resume();
      }
      case 'permission.settled':
        return this.#resume();
      case 'policy.ruled':
        if (event.verdict === 'deny' && event.tool_use !== undefined) this.#open.delete(event.tool_use);
        return;
      default:
        return;
    }
  }

  #begin(id: string, use: ToolUse): void {
    if (this.#open.has(id)) return;
    const now = this.#options.clock.now();
    this.#beside.quietSince = now;
    this.#open.set(id, { ...use, since: now });
    const oldest = this.#open.keys().next();
    if (this.#open.size > mostOpen && !oldest.done) this.#open.delete(oldest.value);
    this.#stretch ??= this.#stretchFrom(now, 0);
    this.#stretch.count += 1;
    this.#stretch.news = true;
    this.#arm();
  }

  #further(id: string, says: string): void {
    const use = this.#open.get(id);
    if (!use) return;
    use.says = says;
    const isNewest = use === [...this.#open.values()].at(-1);
    if (!this.#stretch || !isNewest || this.#options.clock.now() - this.#saidAt < furtherMs) return;
    this.#stretch.news = true;
    this.#arm();
  }

  #finish(id: string): void {
    const use = this.#open.get(id);
    this.#open.delete(id);
    this.#beside.quietSince = this.#options.clock.now();
    // Of one that began before this response nobody knows when.
    if (!use || !this.#stretch) return;
    const now = this.#options.clock.now();
    const ended = timed(use, this.#stretch, now);
    if (ended.ms > (this.#stretch.longest?.ms ?? -1)) this.#stretch.longest = ended;
    this.#stretch.ended = now;
  }

  /**
   * Claude's text grew. When it begins a new message, the tools before it are over, whatever was told of them; those of
   * the message itself may have been told sooner than it.
   */
  #wrote(): void {
    this.#beside.quietSince = this.#options.clock.now();
    const stretch = this.#stretch;
    if (!stretch) return;
    const { text, messages } = this.#turn.answer;
    const isNew = (messages.findLast(({ start }) => start >= 0)?.start ?? 0) >= stretch.at;
    if (!isNew) {
      // In the middle of a message no line can stand.
      if (this.#open.size > 0) stretch.at = text.length;
      else this.#stretch = undefined;
      return;
    }
    const from = this.#options.clock.now() - lateMs;
    const own = [...this.#open].filter(([, { since }]) => since > from);
    for (const [id] of own) this.#open.delete(id);
    stretch.count -= own.length;
    this.#end();
    this.#open.clear();
    for (const [id, use] of own) this.#open.set(id, use);
    const [first] = own;
    if (first) this.#stretch = this.#stretchFrom(first[1].since, own.length);
  }

  #end(): void {
    const stretch = this.#stretch;
    this.#stretch = undefined;
    if (!stretch || this.#elapsed(stretch) < longMs) return;
    const now = this.#options.clock.now();
    const open = [...this.#open.values()].map((use) => timed(use, stretch, now));
    const [first, ...others] = [...(stretch.longest ? [stretch.longest] : []), ...open];
    if (!first) return;
    const longest = others.reduce((a, b) => (b.ms > a.ms ? b : a), first);
    const work = { count: stretch.count, ms: this.#elapsed(stretch), longest };
    this.#lines.push({ at: stretch.at, words: workWords(work, this.dialect) });
  }

  /** What is open goes on, and is counted from now. */
  #resume(): void {
    if (this.#open.size === 0 || this.#stretch) return;
    this.#stretch = this.#stretchFrom(this.#options.clock.now(), this.#open.size);
    this.#arm();
  }

  #stretchFrom(since: number, count: number): Stretch {
    return { at: this.#turn.answer.text.length, since, count, news: true };
  }

  #elapsed({ since, ended = since }: Stretch): number {
    return (this.#open.size > 0 ? this.#options.clock.now() : ended) - since;
  }

  /** One timer, and none while there is nothing new to say. */
  #arm(): void {
    if (!this.#tell || this.#cancel || !this.#hasNews) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(this.#due - clock.now(), leastMs), () => {
      this.#cancel = undefined;
      if (this.#hasNews && clock.now() >= this.#due) {
        this.#saidAt = clock.now();
        this.#tell?.();
      }
      // What could not be said, as the client is slow, is tried again.
      this.#arm();
    });
  }

  /** While a tool runs, that alone is said. */
  get #hasNews(): boolean {
    if (this.#open.size > 0) return this.#stretch?.news === true;
    return this.#beside.hasNews;
  }

  /** When the next line may be said, monotonic ms. */
  get #due(): number {
    const since = this.#open.size > 0 ? (this.#stretch?.since ?? 0) : this.#beside.quietSince;
    return Math.max(since, this.#saidAt) + longMs;
  }
}

/** Of a provider's call, among the ids of tool uses. */
const idOf = (call: string): string => `call ${call}`;
