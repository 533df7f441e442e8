// The questions of one message, asked at its terminal one after another.
import { CliError } from '../cli-error.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import type { AnswerView } from './answer-view.ts';
import type { Leave } from './leave.ts';

interface Open {
  end: AbortController;
  /** How it was answered. */
  words?: string;
}

export class InlineQuestions {
  readonly #bridge: RpcConnection;
  readonly #view: AnswerView;
  readonly #leave: Leave;
  readonly #failed = Promise.withResolvers<never>();
  readonly #open = new Map<string, Open>();
  #last = Promise.resolve();
  /** Rejects with what kept one from being asked. */
  readonly failed = this.#failed.promise;

  constructor(bridge: RpcConnection, view: AnswerView, leave: Leave) {
    this.#bridge = bridge;
    this.#view = view;
    this.#leave = leave;
    this.failed.catch(() => {});
  }

  ask(code: string): void {
    const open: Open = { end: new AbortController() };
    this.#open.set(code, open);
    this.#last = this.#last.then(() => this.#ask(code, open)).catch(this.#failed.reject);
  }

  /** It is answered, here or elsewhere: then `words` say so. */
  decided(code: string, words: string): void {
    const open = this.#open.get(code);
    if (!open) return;
    open.words = words;
    open.end.abort();
  }

  /** Asks no more. Resolves when the terminal is free. */
  async end(): Promise<void> {
    for (const { end } of this.#open.values()) end.abort();
    await this.#last;
  }

  async #ask(code: string, open: Open): Promise<void> {
    const { signal } = open.end;
    try {
      const { askInline } = await import('./ask-inline.ts');
      if (!signal.aborted && (await askInline(this.#bridge, this.#view, code, signal))) return;
    } catch (error) {
      const why = error instanceof CliError ? error.code : '';
      if (why === 'cancelled') return this.#leave.now();
      if (why !== 'already_answered') throw error;
    }
    if (open.words !== undefined) this.#view.say(open.words);
  }
}
