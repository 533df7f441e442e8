// A reader's items → one HTTP response: a stream, or one object. The turn does not depend on it.
import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import type { Readable } from '../../../domain/state/text.ts';
import { maskedWords } from '../../../domain/words/masked-words.ts';
import { paragraph } from '../../../domain/words/turn-words.ts';
import type { Mask, OutgoingText } from '../../app/masking.ts';
import type { ReaderItem } from '../../app/reader/reader-item.ts';
import type { ResponseHead, ToolCall } from './answer/answer.ts';
import { answerObject } from './answer/answer-object.ts';
import { ClientPace } from './answer/client-pace.ts';
import { longText, partsOf } from './answer/long-text.ts';
import { StreamWriter, type StreamWriterOptions } from './answer/stream-writer.ts';
import { Script, type ScriptOptions } from './script.ts';

export interface ResponseOptions extends ScriptOptions {
  api: 'chat' | 'responses';
  head: ResponseHead;
  includeUsage: boolean;
  inputCharacters: number;
  /** Leaves secrets out of what goes out. */
  mask(): Promise<Mask>;
  /** Keeps what the response said: it is whole now. */
  said(all: Readable, calls: readonly ToolCall[]): void;
}

/** All that waits, and that something was left out. @returns what it adds */
function finish(masked: OutgoingText): string {
  const rest = masked.take(true);
  const words = paragraph(masked.said.slice(-2), maskedWords(masked.count));
  masked.add(words);
  return rest + words;
}

/** How a response ended: with Claude's last word, otherwise, or because its client took nothing for too long. */
type Left = 'finished' | 'open' | 'stalled';

/** Collects the whole answer for a client that did not ask for a stream. */
export async function answerWhole(
  items: AsyncIterable<ReaderItem>,
  response: ServerResponse,
  options: ResponseOptions & { clock: Clock },
): Promise<Left> {
  const pace = new ClientPace(response, options.clock);
  const { api, head, inputCharacters } = options;
  const script = new Script(options);
  const masked = (await options.mask()).over(script.said, () => script.asked);
  script.begin();
  for await (const item of items) {
    script.add(item);
    if (item.kind !== 'end') continue;
    finish(masked);
    options.said(masked.said, script.calls);
    const { length } = masked.said;
    const text = length === 0 ? '' : longText;
    const answer = answerObject({
      api,
      head,
      text,
      characters: length,
      calls: script.calls,
      inputCharacters,
    });
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const part of partsOf(JSON.stringify(answer), masked.said)) await pace.write(part);
    await pace.end();
  }
  return pace.stalled ? 'stalled' : script.calls.length === 0 ? 'finished' : 'open';
}

/** Milliseconds without a word of Claude's after which nothing waits any longer: a tool may run for hours. */
const pauseMs = 1_000;

export interface StreamingOptions extends ResponseOptions, StreamWriterOptions {
  /** Milliseconds from its first text before which it does not finish. */
  holdMs: number;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
}

/** Streams the answer. Ends the response in order, or leaves it when the client is gone. */
export async function streamAnswer(
  items: AsyncIterable<ReaderItem>,
  response: ServerResponse,
  options: StreamingOptions,
): Promise<Left> {
  const { clock, holdMs, gone } = options;
  const writer = new StreamWriter(response, options);
  const script = new Script(options);
  let earliest = 0;
  const spoke = () => {
    earliest ||= clock.now() + holdMs;
  };
  const say = (text: string): Promise<void> | undefined => {
    if (text === '') return undefined;
    const room = writer.write((stream) => stream.text(text));
    if (room) return room.then(spoke);
    spoke();
    return undefined;
  };
  let finished = false;
  let cancel: Cancel | undefined;
  try {
    await writer.write((stream) => stream.open());
    const masked = (await options.mask()).over(script.said, () => script.asked);
    const rest = () => writer.aside((stream) => stream.text(masked.take(true)));
    script.begin();
    await say(masked.take(true));
    options.progress?.live(() =>
      writer.aside((stream) => {
        script.running();
        return stream.text(masked.take(true));
      }),
    );
    for await (const item of items) {
      cancel?.();
      script.add(item);
      const isEnd = item.kind === 'end';
      const room = say(isEnd ? finish(masked) : masked.take(item.kind !== 'text'));
      if (room) await room;
      cancel = masked.waits ? clock.after(pauseMs, rest) : undefined;
      if (!isEnd) continue;
      finished = script.calls.length === 0;
      options.said(masked.said, script.calls);
      if (finished && holdMs > 0) await until(clock, earliest, gone);
      // What is read out now must not grow meanwhile.
      options.progress?.close();
      const { said } = masked;
      const { calls } = script;
      const { inputCharacters } = options;
      await writer.write((stream) => stream.finish({ said, inputCharacters, calls }));
      await writer.end();
    }
  } finally {
    cancel?.();
    await writer.end();
  }
  return writer.stalled ? 'stalled' : finished ? 'finished' : 'open';
}

/** Resolves at `time` of the clock, or when `gone` aborts. */
function until(clock: Clock, time: number, gone: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(time - clock.now(), resolve);
  if (gone.aborted) resolve();
  gone.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(cancel);
}
