// One streamed answer of the Messages API. The script of a test decides what is said and when.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** What a script may do. Everything is written at once; waiting is the script's own business. */
export interface Answer {
  /** Adds text to the answer; opens a text block when none is open. */
  text(text: string): void;
  /** Asks for a tool. Ends the open text block. */
  tool(name: string, input: unknown): void;
  /** Refuses instead: only before anything was said. */
  fail(status: number, type: string, message: string): void;
}

const usage = {
  input_tokens: 10,
  output_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export class StreamedAnswer implements Answer {
  readonly #response: ServerResponse;
  readonly #model: string;
  #index = -1;
  #open = false;
  #stopReason = 'end_turn';

  constructor(response: ServerResponse, model: string) {
    this.#response = response;
    this.#model = model;
  }

  text(text: string): void {
    if (!this.#open) this.#start({ type: 'text', text: '' });
    this.#delta({ type: 'text_delta', text });
  }

  tool(name: string, input: unknown): void {
    this.#closeBlock();
    this.#start({
      type: 'tool_use',
      id: `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      name,
      input: {},
    });
    this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
    this.#closeBlock();
    this.#stopReason = 'tool_use';
  }

  fail(status: number, type: string, message: string): void {
    this.#response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ type: 'error', error: { type, message } }));
  }

  /** Completes the answer; harmless when it failed or the client has gone. */
  finish(): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#begin();
    this.#closeBlock();
    this.#send('message_delta', { delta: { stop_reason: this.#stopReason, stop_sequence: null }, usage });
    this.#send('message_stop', {});
    this.#response.end();
  }

  #begin(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.#send('message_start', {
      message: {
        id: `msg_${randomUUID().replaceAll('-', '')}`,
        type: 'message',
        role: 'assistant',
        model: this.#model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    });
  }

  #start(block: Record<string, unknown>): void {
    this.#begin();
    this.#index += 1;
    this.#open = true;
    this.#send('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: Record<string, unknown>): void {
    this.#send('content_block_delta', { index: this.#index, delta });
  }

  #closeBlock(): void {
    if (this.#open) this.#send('content_block_stop', { index: this.#index });
    this.#open = false;
  }

  #send(type: string, data: Record<string, unknown>): void {
    if (this.#response.destroyed) return;
    this.#response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  }
}
