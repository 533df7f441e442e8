// What calls the operator away from whatever they do: a row of the journal → a notice, or nothing.
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import type { FailureCode } from '../../protocol/events/failures.ts';
import { askerOf } from '../question/asker.ts';
import { pictureOf } from '../question/picture.ts';
import { visible } from '../safe-text.ts';

export interface Notice {
  /** `asks`: it waits for the operator; `failed`: a message got no whole answer; `done`: a long turn ended well. */
  event: 'asks' | 'failed' | 'done';
  /** Session key, one line. */
  session: string;
  /** Of a permission question. */
  code?: string;
  /** One line of words. */
  title: string;
  /** Bounded; of control characters only `\n` and `\t`. */
  text: string;
}

/** Longest title and longest text, characters. */
const longestLine = 200;
const longestText = 1_000;

export const oneLine = (text: string): string =>
  visible(text.slice(0, longestLine).toWellFormed()).replace(/\s+/g, ' ').trim();

function bounded(text: string): string {
  const more = text.length - longestText;
  const shown = visible(text.slice(0, longestText).toWellFormed()).trim();
  return more > 0 ? `${shown}\n… (${more} more characters)` : shown;
}

interface Running {
  session: string;
  /** What it answers. */
  text: string;
  /** Epoch ms. */
  since: number;
  /** That it waits for a person was said. */
  held?: true;
}

/** Reads rows in their order, old ones too: how long a turn takes is known from its beginning. */
export class NoticeWatch {
  readonly #longTurnMs: number;
  /** What waits or runs, by turn. */
  readonly #turns = new Map<string, Running>();

  /** @param longTurnMs from here on the end of a turn is worth a notice, milliseconds */
  constructor(longTurnMs: number) {
    this.#longTurnMs = longTurnMs;
  }

  /** A row that is nothing new. */
  load({ session, at, event }: JournalRow): void {
    switch (event.type) {
      case 'turn.queued':
      case 'turn.adopted':
        this.#turns.set(event.turn, { session, text: event.text, since: at });
        return;
      case 'turn.running': {
        const known = this.#turns.get(event.turn);
        if (known) known.since = at;
        return;
      }
      case 'turn.held': {
        const known = this.#turns.get(event.turn);
        if (known) known.held = true;
        return;
      }
      case 'turn.withdrawn':
      case 'turn.settled':
        this.#turns.delete(event.turn);
        return;
      case 'session.removed':
        for (const [turn, known] of this.#turns) if (known.session === session) this.#turns.delete(turn);
        return;
      default:
        return;
    }
  }

  observe(row: JournalRow): Notice | undefined {
    const notice = this.#noticeOf(row);
    this.load(row);
    return notice;
  }

  #noticeOf({ session: key, at, event }: JournalRow): Notice | undefined {
    const session = oneLine(key);
    switch (event.type) {
      case 'turn.settled':
        return this.#settled(session, event, at);
      case 'turn.held':
        // The dialog of a start has told of itself, and each try that is held again is no news.
        if (event.code === 'start_dialog' || this.#turns.get(event.turn)?.held) return undefined;
        return { event: 'asks', session, title: 'A message waits for you', text: bounded(event.detail) };
      case 'permission.asked':
        return { event: 'asks', session, code: event.code, ...askWords(event) };
      case 'agent.dialog':
        // One matter is told once, and its question names the code.
        if (event.asked) return undefined;
        return {
          event: 'asks',
          session,
          title: `Claude Code waits for you: ${oneLine(event.dialog)}`,
          text: bounded(event.screen),
        };
      default:
        return undefined;
    }
  }

  #settled(
    session: string,
    { turn, outcome, code, detail, into }: Extract<SessionEvent, { type: 'turn.settled' }>,
    at: number,
  ): Notice | undefined {
    if (outcome === 'failed' || outcome === 'expired') {
      const why = [code, detail].filter((each) => each !== undefined).join(': ');
      return { event: 'failed', session, title: failedTitle(code), text: bounded(why) };
    }
    const known = this.#turns.get(turn);
    const took = known ? at - known.since : 0;
    if (!known || outcome !== 'completed' || into !== undefined || took < this.#longTurnMs) return undefined;
    const seconds = Math.round(took / 1000);
    const words = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
    return {
      event: 'done',
      session,
      title: `Claude has answered, after ${words}`,
      text: bounded(known.text),
    };
  }
}

const failedTitle = (code: FailureCode | undefined): string =>
  code === 'tasks_lost' ? 'Work in the background was cut off' : 'A message got no answer';

function askWords(event: Extract<SessionEvent, { type: 'permission.asked' }>): {
  title: string;
  text: string;
} {
  const { kind, tool, body } = pictureOf({ ...event, cut: event.cut ?? false });
  const who = askerOf(event.agent, 'plain');
  switch (kind) {
    case 'permission':
      return { title: `${who} asks for permission: ${oneLine(tool)}`, text: bounded(body) };
    case 'choice':
      return { title: `${who} asks you`, text: bounded(body) };
    case 'dialog':
      return { title: 'Claude Code shows a dialog', text: bounded(body) };
    case 'plan':
      return { title: `${who} has a plan`, text: bounded(body) };
  }
}
