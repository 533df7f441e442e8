import { chatStream } from './chat-stream.ts';
import { FrameSender } from './frame-sender.ts';
import { Latencies } from './latencies.ts';
import { paced } from './paced.ts';
import type { Program } from './program.ts';

/** Opened at a time: a bridge hangs up when more than 64 connections have not shown a token yet. */
const atOnce = 50;

/** A server that is fed with frames in some sessions, each of which is read as a chat stream. */
export class Fed {
  readonly #server: Program;
  readonly #latencies = new Latencies();
  readonly #senders: FrameSender[] = [];
  #landed = () => {};

  private constructor(server: Program) {
    this.#server = server;
  }

  static async open(server: Program, sessions: number): Promise<Fed> {
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
    const server = { url: this.#server.text('url'), token: this.#server.text('token') };
    await chatStream({ ...server, session, text: 'stay' }, onText);
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
