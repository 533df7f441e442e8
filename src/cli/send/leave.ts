// Ctrl-C while an answer is waited for.
import { shellWord } from '../../base/text/plain-word.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';

export class Leave implements Disposable {
  readonly #session: string;
  readonly #left = Promise.withResolvers<never>();
  #isStored = false;
  #isWanted = false;
  /** Rejects with what whoever leaves is told. */
  readonly left = this.#left.promise;

  constructor(session: string) {
    this.#session = session;
    this.left.catch(() => {});
    process.on('SIGINT', this.#act);
  }

  /** From now on nothing is lost with this program. */
  stored(): void {
    this.#isStored = true;
    if (this.#isWanted) this.now();
  }

  now(): void {
    const session = shellWord(this.#session);
    const error = new CliError(
      'interrupted',
      'left',
      'Your message is kept, and its turn goes on.',
      `\`synthesis attach ${session}\` or \`synthesis logs ${session}\` shows it, \`synthesis interrupt ${session}\` stops it.`,
    );
    this.#left.reject(error);
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#act);
  }

  readonly #act = (): void => {
    if (this.#isWanted) process.exit(exitCodes.interrupted);
    this.#isWanted = true;
    if (this.#isStored) this.now();
    else say('The message is not stored yet. Ctrl-C again leaves without waiting for that.');
  };
}
