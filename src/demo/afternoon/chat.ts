import { ChatClient } from '../chat-client.ts';
import type { Scene } from './scenes.ts';

export interface ChatOptions {
  /** `http://127.0.0.1:PORT` */
  url: string;
  token: string;
  /** Names the conversation. */
  session: string;
  /** Messages that have no whole answer yet. */
  open(): number;
}

/** One message in work and one in line behind it: whoever only looks on is not to find a queue that grows. */
const mostOpen = 2;

/** One of the chats: whoever writes there waits for the answer before the next message. */
export class Chat {
  readonly #options: ChatOptions;
  readonly #client: ChatClient;
  #isReading = false;
  #answer = '';

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#client = new ChatClient({
      ...options,
      tools: [{ name: 'weather', description: 'Tells the weather.', run: () => 'sunny, 21 degrees' }],
      onText: () => {},
      onToolCall: () => {},
    });
  }

  /** Does nothing where that has no sense now: what was done before is not over, or nothing was asked. */
  async act(does: Scene['does']): Promise<void> {
    const text = 'says' in does ? this.#message(does.says) : this.#verdict(does.answers);
    if (this.#isReading || text === undefined) return;
    this.#isReading = true;
    try {
      this.#answer = await this.#client.say(text);
    } catch {
      // The screen shows what became of it, and a demo that ends takes its bridge along.
    } finally {
      this.#isReading = false;
    }
  }

  #message(text: string): string | undefined {
    return this.#options.open() < mostOpen ? text : undefined;
  }

  #verdict(word: 'yes' | 'no'): string | undefined {
    const code = /`yes ([a-km-z]{5})`/.exec(this.#answer)?.[1];
    return code && `${word} ${code}`;
  }
}
