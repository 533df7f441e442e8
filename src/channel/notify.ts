// inbound_message → notifications/claude/channel, each request id once.
import type { Log } from '../base/log.ts';
import type { InboundMessage, InboundWritten } from '../protocol/wire/wire.ts';
import { SeenRing } from './seen-ring.ts';

export interface ChannelEvent {
  content: string;
  meta: Record<string, string>;
}

/** Claude Code shows meta as attributes: it drops keys outside `[A-Za-z_][A-Za-z0-9_]*` and values that are no text,
 *  both silently. So keys are renamed, numbers and truth values written out, and structures turned to JSON. */
export function toChannelEvent(message: InboundMessage): ChannelEvent {
  const meta: Record<string, string> = {};
  for (const [key, value] of Object.entries(message.meta)) {
    const name = key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
    const text = metaText(value);
    if (name === '' || text === undefined || Object.hasOwn(meta, name)) continue;
    meta[name] = text;
  }
  return { content: message.content, meta };
}

function metaText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      // A line break in a chat user's name must not look like a line of the message.
      return value.replace(/[\u0000-\u001f\u007f]+/g, ' ');
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? undefined : JSON.stringify(value);
    default:
      return undefined;
  }
}

/** Ids remembered for the whole life of the process: more than any bridge keeps unconfirmed. */
const remembered = 10_000;
/** Messages that may wait for Claude Code to finish its handshake. The bridge sends one at a time. */
const waitingLimit = 1000;

export interface InboundWriterOptions {
  /** Resolves when the event is in Claude's stdin. */
  write(event: ChannelEvent): Promise<void>;
  confirm(frame: InboundWritten): void;
  log: Log;
}

/** Writes each message once; a repeat is confirmed again, a repeat during the writing by the same confirmation. */
export class InboundWriter {
  readonly #options: InboundWriterOptions;
  readonly #written = new SeenRing(remembered);
  readonly #writing = new Set<string>();

  constructor(options: InboundWriterOptions) {
    this.#options = options;
  }

  /** The newest request ids that Claude has, oldest first. */
  seen(count: number): string[] {
    return this.#written.newest(count);
  }

  /** Never rejects. A message that could not be written stays unconfirmed, so the bridge sends it again. */
  async accept(message: InboundMessage): Promise<void> {
    const { confirm, log, write } = this.#options;
    const id = message.request_id;
    if (this.#written.has(id)) return confirm({ type: 'inbound_written', request_id: id });
    if (this.#writing.has(id)) return;
    if (this.#writing.size >= waitingLimit) {
      return log.warn('too many messages wait for Claude Code; this one was not taken', { request_id: id });
    }
    this.#writing.add(id);
    try {
      await write(toChannelEvent(message));
      this.#written.add(id);
      confirm({ type: 'inbound_written', request_id: id });
    } catch (error) {
      log.error('a message could not be written to Claude Code', { request_id: id, error });
    } finally {
      this.#writing.delete(id);
    }
  }
}
