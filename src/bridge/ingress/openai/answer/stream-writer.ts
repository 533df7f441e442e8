// The bytes of one streamed response, at the pace of its client.
import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../../../../base/time/clock.ts';
import { type AnswerStream, answerStream, type StreamOptions } from './answer-stream.ts';
import { writePart } from './body-part.ts';
import { ClientPace } from './client-pace.ts';

export interface StreamWriterOptions extends StreamOptions {
  clock: Clock;
  /** Milliseconds of silence after which an empty data chunk is sent. OpenClaw gives up after 300 s without one. */
  keepAliveMs: number;
}

/** Owns the response: headers, the keep-alive timer, and waiting for a slow client. */
export class StreamWriter {
  readonly #response: ServerResponse;
  readonly #pace: ClientPace;
  readonly #stream: AnswerStream;
  readonly #options: StreamWriterOptions;
  /** When the last byte was handed over, by the clock. */
  #at = 0;
  #cancel: Cancel | undefined;

  constructor(response: ServerResponse, options: StreamWriterOptions) {
    this.#response = response;
    this.#pace = new ClientPace(response, options.clock);
    this.#options = options;
    this.#stream = answerStream(options);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
  }

  /** Its client took nothing for too long, and was hung up on. */
  get stalled(): boolean {
    return this.#pace.stalled;
  }

  /**
   * A text that there is room for costs no promise.
   *
   * @param render what is to be written, in one part or several
   * @returns undefined when there is room for more; else what resolves when there is
   */
  write(render: (stream: AnswerStream) => string | Iterable<string>): Promise<void> | undefined {
    const parts = render(this.#stream);
    const room = typeof parts === 'string' ? this.#pace.write(parts) : this.#inParts(parts);
    if (room) return room.then(() => this.#wrote());
    this.#wrote();
    return undefined;
  }

  async #inParts(parts: Iterable<string>): Promise<void> {
    for (const bytes of parts) await this.#pace.write(bytes);
  }

  #wrote(): void {
    this.#at = this.#options.clock.now();
    if (!this.#response.destroyed) this.#cancel ??= this.#keepAliveIn(this.#options.keepAliveMs);
  }

  /** What may be left out: a client that has not taken what was said before is spared it. */
  aside(render: (stream: AnswerStream) => string): void {
    if (this.#response.writableNeedDrain || this.#response.destroyed) return;
    const bytes = render(this.#stream);
    if (bytes !== '') writePart(this.#response, bytes);
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.#stopTimer();
    await this.#pace.end();
    this.#stopTimer();
  }

  #stopTimer(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** One timer for all texts: what was written meanwhile puts it off. @param ms from now */
  #keepAliveIn(ms: number): Cancel {
    const { clock, keepAliveMs } = this.#options;
    return clock.after(ms, () => {
      const early = this.#at + keepAliveMs - clock.now();
      if (early <= 0) {
        // Nothing waits, so what is written in parts is not in the middle of it.
        if (this.#response.writableLength === 0) this.#response.write(this.#stream.keepAlive());
        this.#at = clock.now();
      }
      this.#cancel = this.#response.destroyed
        ? undefined
        : this.#keepAliveIn(early > 0 ? early : keepAliveMs);
    });
  }
}
