// The bytes of one streamed response, at the pace of its client.
import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../../../base/clock.ts';
import { type AnswerStream, answerStream, type StreamOptions } from './answer-stream.ts';

export interface StreamWriterOptions extends StreamOptions {
  clock: Clock;
  /** Milliseconds of silence after which an empty data chunk is sent. OpenClaw gives up after 300 s without one. */
  keepAliveMs: number;
}

/** Owns the response: headers, the keep-alive timer, and waiting for a slow client. */
export class StreamWriter {
  readonly #response: ServerResponse;
  readonly #stream: AnswerStream;
  readonly #options: StreamWriterOptions;
  #cancel: Cancel = () => {};

  constructor(response: ServerResponse, options: StreamWriterOptions) {
    this.#response = response;
    this.#options = options;
    this.#stream = answerStream(options);
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
  }

  async write(render: (stream: AnswerStream) => string): Promise<void> {
    this.#cancel();
    const bytes = render(this.#stream);
    if (this.#response.destroyed) return;
    if (bytes !== '' && !this.#response.write(bytes)) await this.#drained();
    this.#keepAlive();
  }

  /** What may be left out: a client that has not taken what was said before is spared it. */
  aside(render: (stream: AnswerStream) => string): void {
    if (this.#response.writableNeedDrain || this.#response.destroyed) return;
    const bytes = render(this.#stream);
    if (bytes !== '') this.#response.write(bytes);
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.#cancel();
    if (!this.#response.writableEnded) await flushed(this.#response, () => this.#response.end());
    this.#cancel();
  }

  async #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#response.once('drain', resolve);
    this.#response.once('close', resolve);
    await promise;
    this.#response.off('drain', resolve);
    this.#response.off('close', resolve);
  }

  #keepAlive(): void {
    this.#cancel = this.#options.clock.after(this.#options.keepAliveMs, () => {
      if (this.#response.writableLength === 0) this.#response.write(this.#stream.keepAlive());
      this.#keepAlive();
    });
  }
}

/** Resolves when the response was handed to the system, or its connection is gone. */
export async function flushed(response: ServerResponse, end: () => void): Promise<void> {
  if (response.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('finish', resolve);
  response.once('close', resolve);
  end();
  await promise;
  response.off('finish', resolve);
  response.off('close', resolve);
}
