// What proves a decision that is made at the screen: a code that is typed there, or a key that is touched beside it.
import { decisionText, type Proof } from '../../../domain/views/operator-proof.ts';
import { CliError } from '../../cli-error.ts';
import type { Prover, WantedProof } from '../../client/rpc-connection.ts';

/** What the screen asks for. */
export type AskedProof = { id: number; why?: string } & (
  | { kind: 'code' }
  /** `until`: epoch ms. */
  | { kind: 'key'; isTouch: boolean; until: number }
);

/** The screen, while there is one. */
export interface ProofScreen {
  ask(proof: AskedProof): void;
  /** It was given, or is not waited for any more. */
  done(id: number): void;
}

export interface ScreenProofsOptions {
  /** @throws CliError */
  sign(text: string, keys: readonly string[], signal: AbortSignal): Promise<string>;
}

/** A touch key blinks for some 30 s; the bridge waits for two minutes. */
const patienceMs = 110_000;

export class ScreenProofs {
  readonly #options: ScreenProofsOptions;
  readonly #over = new AbortController();
  screen: ProofScreen | undefined;
  #ids = 0;
  #asked: { id: number; give(code: string | undefined): void } | undefined;
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: ScreenProofsOptions) {
    this.#options = options;
  }

  /** One after the other: a panic is lifted on several machines at once. */
  readonly prove: Prover = (wanted) => {
    const proof = this.#before.then(() => this.#proveOne(wanted));
    this.#before = proof.catch(() => undefined);
    return proof;
  };

  /** What was typed; undefined to give it up. */
  answer(id: number, code: string | undefined): void {
    if (this.#asked?.id === id) this.#asked.give(code);
  }

  /** Whoever is asked is not waited for any more. Idempotent. */
  close(): void {
    this.#over.abort();
  }

  async #proveOne({ challenge, method, params, why, signal }: WantedProof): Promise<Proof> {
    const { screen } = this;
    const over = AbortSignal.any([this.#over.signal, ...(signal ? [signal] : [])]);
    if (!screen || over.aborted) throw givenUp();
    this.#ids += 1;
    const id = this.#ids;
    const given = Promise.withResolvers<string>();
    const left = new AbortController();
    const leave = () => {
      left.abort();
      given.reject(givenUp());
    };
    const timer = setTimeout(leave, patienceMs);
    over.addEventListener('abort', leave);
    this.#asked = { id, give: (code) => (code === undefined ? leave() : given.resolve(code)) };
    const { nonce } = challenge;
    const about = { id, ...(why !== undefined && { why }) };
    try {
      if (challenge.kind === 'totp') {
        screen.ask({ ...about, kind: 'code' });
        return { nonce, code: await given.promise };
      }
      const { keys } = challenge;
      const isTouch = keys.some((key) => key.startsWith('sk-'));
      screen.ask({ ...about, kind: 'key', isTouch, until: Date.now() + patienceMs });
      const signing = this.#options.sign(decisionText(method, params, nonce), keys, left.signal);
      return { nonce, signature: await Promise.race([signing, given.promise]) };
    } finally {
      clearTimeout(timer);
      over.removeEventListener('abort', leave);
      given.promise.catch(() => undefined);
      this.#asked = undefined;
      screen.done(id);
    }
  }
}

const givenUp = (): CliError =>
  new CliError(
    'failure',
    'cancelled',
    'No proof was given: nothing was decided.',
    'Press the key again to try once more.',
  );
