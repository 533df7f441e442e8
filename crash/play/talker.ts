// A client in a chat: says one thing after the other, repeats what got no answer, answers questions, writes down all.
import type { ClientRequest } from 'node:http';
import type { History } from '../history/history.ts';
import type { House } from './house.ts';
import type { Message } from './message.ts';
import { type Outcome, post } from './post.ts';

export interface TalkerOptions {
  history: History;
  house: House;
  /** Where the bridge is to be reached, if not at the house itself. */
  url: string;
  random: () => number;
}

/** Between two tries, milliseconds. */
const pauseMs = 60;
/** Longest a client tries while nothing is broken, milliseconds. */
const patienceMs = 120_000;
/** Longest it waits for the end of one response, milliseconds. */
const tryMs = 20_000;

export class Talker {
  readonly #options: TalkerOptions;
  /** The request that is under way, to be cut by who breaks things. */
  posted: ClientRequest | undefined;

  constructor(options: TalkerOptions) {
    this.#options = options;
  }

  /** Says it until it is answered. @returns the code of a question that the answer asks */
  async say(message: Message, verdict?: { n: number }): Promise<string | undefined> {
    const { history, random } = this.#options;
    const stream = random() < 0.7;
    const from = performance.now();
    while (history.open && performance.now() < Math.max(from, history.struckAt) + patienceMs) {
      const outcome = await this.#try(message, stream, verdict);
      if (outcome.end === 'done') {
        history.write({ is: 'ended', mark: message.mark, text: outcome.text });
        return this.#question(message, outcome.text);
      }
      if (outcome.end === 'broken') history.write({ is: 'broken', mark: message.mark });
      else history.write({ is: 'refused', mark: message.mark, status: outcome.status, body: outcome.body });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (outcome.end === 'refused' && outcome.status !== 503) return undefined;
    }
    history.write({ is: 'gave-up', mark: message.mark });
    return undefined;
  }

  /** Answers a question as the chat does. */
  async answer(session: string, code: string, deed: 'approve' | 'deny'): Promise<void> {
    const { history } = this.#options;
    const n = history.nextCommand();
    history.write({ is: 'commanded', n, deed, door: 'chat', session, code });
    const text = `${deed === 'approve' ? 'yes' : 'no'} ${code}`;
    // It has no mark: Claude is not to get it, and it is no message in the journal.
    await this.say({ mark: `verdict ${n}`, session, text, expects: [], last: false }, { n });
  }

  async #try(message: Message, stream: boolean, verdict?: { n: number }): Promise<Outcome> {
    const { history, house, url } = this.#options;
    const { mark, session, text, expects, last } = message;
    if (!verdict) history.write({ is: 'sent', mark, session, text, expects, last });
    const timer = setTimeout(() => this.posted?.destroy(), tryMs);
    try {
      return await post(
        { url, host: `127.0.0.1:${house.port}`, token: house.token, session, key: mark, text, stream },
        {
          status: (status) => {
            if (status !== 200) return;
            history.write(verdict ? { is: 'acknowledged', n: verdict.n } : { is: 'accepted', mark });
          },
          text: (more) => history.write({ is: 'read', mark, text: more }),
          going: (posted) => {
            this.posted = posted;
          },
        },
      );
    } finally {
      clearTimeout(timer);
      this.posted = undefined;
    }
  }

  #question({ mark }: Message, text: string): string | undefined {
    // Behind somebody else's question only its code is told.
    const code = [...text.matchAll(/`(?:yes|no|show) ([a-km-z]{5})/g)].at(-1)?.[1];
    if (code !== undefined) this.#options.history.write({ is: 'asked', mark, code });
    return code;
  }
}
