// A terminal with a program in it, from where a person sits: what it shows, and keys.
import { until } from './until.ts';

export abstract class Seat implements AsyncDisposable {
  /** The visible rows, right-trimmed. */
  abstract get rows(): string[];
  /** `alternate` while a program has a screen of its own. */
  abstract get buffer(): 'normal' | 'alternate';
  /** From 0, left and top. */
  abstract get cursor(): { x: number; y: number; shown: boolean };
  /** Undefined while the program runs, or while its last words are not on the screen. */
  abstract readonly exitCode: number | undefined;
  /** Harmless when the program has ended. */
  abstract type(keys: string): void;
  abstract resize(cols: number, rows: number): void;
  abstract [Symbol.asyncDispose](): Promise<void>;

  get screen(): string {
    return this.rows.join('\n');
  }

  /** The row that has this text in it. */
  row(text: string): string {
    return this.rows.find((row) => row.includes(text)) ?? '';
  }

  async shows(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen to show ${text}`, () => found(this.screen, text), ms);
  }

  async hides(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen not to show ${text}`, () => !found(this.screen, text), ms);
  }

  /** Resolves with the exit code. */
  async exited(ms = 15_000): Promise<number> {
    await this.#until('its exit', () => this.exitCode !== undefined, ms);
    return this.exitCode ?? Number.NaN;
  }

  async #until(what: string, holds: () => boolean, ms: number): Promise<void> {
    try {
      await until(what, holds, ms);
    } catch (cause) {
      throw new Error(`waited ${ms} ms for ${what}; it shows:\n${this.screen}`, { cause });
    }
  }
}

const found = (screen: string, text: string | RegExp): boolean =>
  typeof text === 'string' ? screen.includes(text) : text.test(screen);
