import { chatStream, type Door } from './chat-stream.ts';
import { FrameSender } from './frame-sender.ts';
import { Latencies } from './latencies.ts';
import { paced } from './paced.ts';

/** Opened at a time: a bridge hangs up when more than 64 connections have not shown a token yet. */
const atOnce = 50;

/** Where a server listens: a `Program` says it on its first line. */
export interface Feedable {
  text(field: 'url' | 'token' | 'frames'): string;
  headers?: Door['headers'];
}

/** Where its requests go. */
export const doorOf = (server: Feedable): Door => ({
  url: server.text('url'),
  token: server.text('token'),
  ...(server.headers && { headers: server.headers }),
});

/** A server that is fed with frames in some sessions, each of which is read as a chat stream. */
export class Fed {
  readonly #server: Feedable;
  readonly #latencies = new Latencies();
  readonly #senders: FrameSender[] = [];
  #landed = () => {};

  private constructor(server: Feedable) {
    this.#server = server;
  }

  static async open(server: Feedable, sessions: number): Promise<Fed> {
    const fed = new Fed(server);
    while (fed.#senders.length < sessions) {
      const first = fed.#senders.length;
      const batch = Array.from({ length: Math.min(atOnce, sessions - first) }, (_, n) =>
        fed.#open(`s${first + n}`),
      );
      fed.#senders.push(...(await Promise.all(batch)));
    }
    return fed;
  }

  async #open(session: string): Promise<FrameSender> {
    const ready = Promise.withResolvers<void>();
    const onText = (text: string) => {
      if (text.includes('ready')) ready.resolve();
      this.#latencies.arrived(text);
      this.#landed();
    };
    await chatStream({ ...doorOf(this.#server), session, text: 'stay' }, onText);
    await ready.promise;
    return FrameSender.connect(this.#server.text('frames'), session);
  }

  #send(n: number): void {
    this.#senders[n % this.#senders.length]?.send(this.#latencies.next());
  }

  /** Texts for one session after the other, evenly over `ms` milliseconds. @returns the median of their latencies, ms */
  async paced(perSecond: number, ms: number): Promise<number> {
    await paced(perSecond, ms, (n) => this.#send(n));
    return this.#latencies.median();
  }

  /** The same, each when something of the one before has arrived: no two of them share any work. */
  async oneByOne(texts: number): Promise<void> {
    for (let n = 0; n < texts; n += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#landed = resolve;
      this.#send(n);
      await promise;
    }
    await this.#latencies.median();
  }
}
