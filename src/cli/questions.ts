import { createInterface, type Interface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import { say } from './output/out.ts';

/** Someone sits there: reads what is asked, and can answer. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Questions at the terminal, one after another. Each throws CliError `cancelled` when it is left with Ctrl-C or Ctrl-D. */
export class Questions implements Disposable {
  readonly #dialog: Interface;
  readonly #left = new AbortController();
  readonly #suggestion: string;

  /** @param suggestion what whoever leaves a question is told @param signal leaves it, too */
  constructor(suggestion: string, signal?: AbortSignal) {
    this.#suggestion = suggestion;
    this.#dialog = createInterface({
      input: process.stdin,
      output: process.stderr,
      ...(signal && { signal }),
    });
    this.#dialog.on('close', () => this.#left.abort());
  }

  /** What is typed behind `prompt`. */
  async line(prompt: string): Promise<string> {
    try {
      return (await this.#dialog.question(prompt, { signal: this.#left.signal })).trim();
    } catch {
      throw new CliError('failure', 'cancelled', 'Not finished.', this.#suggestion);
    }
  }

  async text(words: string, known: string): Promise<string> {
    return (await this.line(`${words} [${known}]: `)) || known;
  }

  async choice(words: string, choices: readonly string[], known: string): Promise<string> {
    for (;;) {
      const answer = await this.text(`${words} (${choices.join(', ')})`, known);
      if (choices.includes(answer)) return answer;
      say(`"${answer}" is none of them.`);
    }
  }

  async yesNo(words: string, known: boolean): Promise<boolean> {
    for (;;) {
      const answer = (await this.text(`${words}? (yes, no)`, known ? 'yes' : 'no')).toLowerCase();
      if (['y', 'yes'].includes(answer)) return true;
      if (['n', 'no'].includes(answer)) return false;
      say('Answer yes or no.');
    }
  }

  /** Gives the terminal back. Idempotent. */
  [Symbol.dispose](): void {
    this.#dialog.close();
  }
}
