// What rows say of the tools that were asked about. A row may tell that a tool ran long after the one that closed its
// question, so the audit reads all of them before it writes its first entry: then it never takes back what it said.
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';

/** `started`: it was begun or passed on, and its end was not heard of. */
export type RunResult = 'started' | 'succeeded' | 'failed';

export interface RunNews {
  toolUse?: string | undefined;
  /** Of a lent tool: the call that was passed on, or answered. */
  call?: string | undefined;
  result: RunResult;
  output?: string | undefined;
}

/** @returns what a row says of the run of a tool; undefined when it says nothing of any */
export function runNews(event: SessionEvent): RunNews | undefined {
  switch (event.type) {
    case 'activity':
      return { toolUse: event.tool_use, result: event.phase, output: event.output };
    case 'tool.called':
      return { toolUse: event.tool_use, call: event.call, result: 'started' };
    case 'tool.answered':
      return { call: event.call, result: event.ok ? 'succeeded' : 'failed', output: event.content };
    default:
      return undefined;
  }
}

/** A question, as far as rows of a run are matched with it. */
export interface AskedTool {
  toolUse: string | undefined;
  /** The call of a lent tool that the bridge holds until there is an answer. */
  heldCall: string | undefined;
  /** The call that it became. */
  call: string | undefined;
}

/**
 * Claude's own use of a lent tool begins and ends whatever became of the call in it: while the bridge holds that, only
 * what is heard of the call counts.
 */
export const isAbout = ({ toolUse, call }: RunNews, asked: AskedTool): boolean => {
  if (asked.heldCall !== undefined) return call === asked.heldCall;
  return (call !== undefined && call === asked.call) || (toolUse !== undefined && toolUse === asked.toolUse);
};

/** What is known of a run, from anywhere in the journal. */
export interface HeardRun {
  result: RunResult;
  /** Epoch ms. */
  at: number;
}

export class RunEvidence {
  /** Session and tool use, or session and call → the questions about it. */
  readonly #about = new Map<string, string[]>();
  readonly #heard = new Map<string, HeardRun>();
  #through = 0;

  /** Number of the newest row that was read. */
  get through(): number {
    return this.#through;
  }

  take({ seq, session, at, event }: JournalRow): void {
    this.#through = seq;
    if (event.type === 'permission.asked') {
      const question = idOf(session, event.code);
      // See `isAbout`.
      const name = event.call === undefined ? event.tool_use && use(event.tool_use) : callName(event.call);
      if (name) this.#add(idOf(session, name), question);
      return;
    }
    const news = runNews(event);
    if (!news) return;
    const byUse = news.toolUse === undefined ? [] : this.#questions(session, use(news.toolUse));
    if (news.call !== undefined && news.result === 'started')
      for (const question of byUse) this.#add(idOf(session, callName(news.call)), question);
    // What Claude Code announces, it asks about next.
    if (event.type === 'activity' && news.result === 'started') return;
    const byCall = news.call === undefined ? [] : this.#questions(session, callName(news.call));
    for (const question of new Set([...byUse, ...byCall])) this.#hear(question, { result: news.result, at });
  }

  /** @returns undefined when no row says that it was passed on or ran */
  of(session: string, code: string): HeardRun | undefined {
    return this.#heard.get(idOf(session, code));
  }

  #questions(session: string, name: string): readonly string[] {
    return this.#about.get(idOf(session, name)) ?? [];
  }

  #add(about: string, question: string): void {
    const known = this.#about.get(about);
    if (!known) this.#about.set(about, [question]);
    else if (!known.includes(question)) known.push(question);
  }

  /** An end counts for more than a beginning, whichever comes first. */
  #hear(question: string, run: HeardRun): void {
    if (run.result !== 'started' || !this.#heard.has(question)) this.#heard.set(question, run);
  }
}

const idOf = (session: string, name: string) => `${session}\u0000${name}`;
const use = (id: string) => `use ${id}`;
const callName = (id: string) => `call ${id}`;
