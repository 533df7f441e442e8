// Clients of several machines: each message is said until it is over, through whichever machine is there, and all is
// written down. In the end that is held against what Claude was given.
import { join } from 'node:path';
import { History } from '../../../crash/history/history.ts';
import { type Message, newMessage } from '../../../crash/play/message.ts';
import type { Outcome } from '../../../crash/play/post.ts';
import { ledgerFaults, type Return, timesGiven } from '../../support/ledger-faults.ts';
import { seeded } from '../../support/seeded.ts';
import { isNotTaken, pauseMs, tell } from './insist.ts';
import type { Nodes } from './nodes.ts';

/** Longest a client tries, ms. */
const patienceMs = 120_000;
/** Longest it waits for the end of one response, ms. */
const tryMs = 10_000;
/** After that a response that goes on is no refusal, ms. */
const surelyTakenMs = 150;

/** Whether a client stays until it is answered: always, unless its connection breaks once its message is accepted, or only until that. */
type Stays = 'always' | 'unbroken' | 'accepted';

export class Ledger {
  readonly history: History;
  readonly #nodes: Nodes;
  readonly #random: () => number;
  readonly #returns: Return[] = [];
  #marks = 0;
  /** Messages that are over. */
  ended = 0;

  constructor(nodes: Nodes, seed: number) {
    this.#nodes = nodes;
    this.#random = seeded(seed);
    this.history = new History(join(nodes.folder, 'history.jsonl'));
  }

  /**
   * So many messages in all, two at a time in each conversation: a bridge knows repeats of its newest messages only.
   * @param over ends it before
   */
  async talk(sessions: readonly string[], messages: number, over?: AbortSignal): Promise<void> {
    let left = messages;
    const visit = async (session: string, random: () => number) => {
      const message = this.#message(session, random);
      const luck = random();
      const stays = luck < 0.05 ? 'accepted' : luck < 0.5 ? 'unbroken' : 'always';
      if ((await this.#say(message, random, stays)) === 'over') return;
      await this.#say(this.#message(session, random), random, 'always');
      await this.#returnTo(message, random);
    };
    const talk = async (session: string) => {
      const both = [0, 1].map(() => seeded(Math.floor(this.#random() * 2 ** 31)));
      while (left > 0 && !over?.aborted) {
        left -= both.length;
        await Promise.all(both.map((random) => visit(session, random)));
      }
    };
    await Promise.all(sessions.map(talk));
  }

  /** Marks of what was answered to the last line, and without words, in a conversation: Claude has to know it for good. */
  whole(session: string): string[] {
    const texts = new Map(
      this.history.entries.flatMap((entry) =>
        entry.is === 'ended' && !entry.text.includes('⚠️') ? [[entry.mark, entry.text] as const] : [],
      ),
    );
    const sent = this.history.entries.filter((entry) => entry.is === 'sent' && entry.session === session);
    const marks = sent.flatMap((entry) =>
      entry.is === 'sent' && entry.expects.every((line) => texts.get(entry.mark)?.includes(line))
        ? [entry.mark]
        : [],
    );
    return [...new Set(marks)];
  }

  /** Something was broken. */
  struck(what: string): void {
    this.history.write({ is: 'struck', what });
  }

  /** What was lost, given twice or left without an answer, in words, each with what its client wrote down. */
  faults(): string[] {
    const faults = ledgerFaults(this.history.entries, this.#nodes.given(), this.#returns);
    return faults.map((words) => `${words} (${this.#told(/Q-\d+-Z/.exec(words)?.[0])})`);
  }

  #told(mark: string | undefined): string {
    const entries = this.history.entries.filter(
      (entry) => entry.is === 'struck' || ('mark' in entry && entry.mark === mark),
    );
    return entries
      .map(
        (entry) =>
          `${new Date(entry.wall).toISOString().slice(14, 23)} ${entry.is === 'struck' ? entry.what : entry.is}`,
      )
      .join(', ');
  }

  #message(session: string, random: () => number): Message {
    this.#marks += 1;
    return newMessage(`Q-${this.#marks}-Z`, session, random);
  }

  /** Asks again for what must have been done by now. */
  async #returnTo(message: Message, random: () => number): Promise<void> {
    const { mark } = message;
    const times = () => timesGiven(mark, this.#nodes.given());
    const before = times();
    await this.#say(message, random, 'always');
    this.#returns.push({ mark, before, after: times() });
  }

  async #say(message: Message, random: () => number, stays: Stays): Promise<'over' | 'left'> {
    const { mark, session, text, expects, last } = message;
    const stream = random() < 0.7;
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      this.history.write({ is: 'sent', mark, session, text, expects, last });
      const outcome = await this.#try(message, stream, random, stays);
      if (outcome === 'left') return 'left';
      if (outcome.end === 'done' && !isNotTaken(outcome)) {
        this.history.write({ is: 'ended', mark, text: outcome.text });
        this.ended += 1;
        return 'over';
      }
      if (outcome.end === 'broken') this.history.write({ is: 'broken', mark });
      else this.history.write({ is: 'refused', mark, ...saidBy(outcome) });
      await wait(pauseMs);
    }
    this.history.write({ is: 'gave-up', mark });
    return 'over';
  }

  async #try(
    { mark, session, text }: Message,
    stream: boolean,
    random: () => number,
    stays: Stays,
  ): Promise<Outcome | 'left'> {
    const { running } = this.#nodes;
    const bridge = running[Math.floor(random() * running.length)];
    if (!bridge) return { end: 'broken' };
    let cut = () => {};
    let mayLeave = false;
    const accepted = () => {
      this.history.write({ is: 'accepted', mark });
      mayLeave = stays !== 'always';
      if (stays === 'accepted') timers.push(setTimeout(() => cut(), surelyTakenMs));
    };
    const timers = [setTimeout(() => cut(), tryMs)];
    const outcome = await tell(
      bridge,
      { session, text, key: mark, stream },
      {
        status: (status) => {
          if (status === 200) accepted();
        },
        going: (posted) => {
          cut = () => void posted.destroy();
        },
      },
    );
    for (const timer of timers) clearTimeout(timer);
    return mayLeave && outcome.end === 'broken' ? 'left' : outcome;
  }
}

const saidBy = (outcome: Exclude<Outcome, { end: 'broken' }>) =>
  outcome.end === 'done'
    ? { status: 200, body: outcome.text }
    : { status: outcome.status, body: outcome.body };

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
