import { randomUUID } from 'node:crypto';
import { type Batch, MessageDisplay } from '../hooks/message-display.ts';

/** One assistant message while it is written: to the screen, to the hook, and as the text that Stop reports. */
export class Message {
  readonly id = randomUUID();
  readonly #display: MessageDisplay;
  readonly #log: (line: string) => void;
  #lines: string[] = [];

  constructor(log: (line: string) => void, send: (messageId: string, batch: Batch) => Promise<unknown>) {
    this.#log = log;
    this.#display = new MessageDisplay((batch) => send(this.id, batch));
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** Adds a line. The one before is complete now, so it goes out with its newline. */
  line(line: string): void {
    const before = this.#lines.at(-1);
    if (before !== undefined) this.#display.push(`${before}\n`);
    this.#log(`${before === undefined ? '●' : ' '} ${line}`);
    this.#lines.push(line);
  }

  /** Ends the message; one without text is never displayed. */
  async finish(): Promise<void> {
    const last = this.#lines.at(-1);
    if (last !== undefined) await this.#display.finish(last);
  }

  drop(): void {
    this.#display.drop();
  }
}
