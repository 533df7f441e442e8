// Proves a decision at this terminal: a code that is typed, or a signature of an SSH key (decision 0059).
import { type Challenge, decisionText, type Proof } from '../../domain/views/operator-proof.ts';
import { CliError } from '../cli-error.ts';
import type { Prover, WantedProof } from '../client/rpc-connection.ts';
import { say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';
import { canAsk, Questions } from '../questions.ts';

/** A touch key blinks for some 30 s; a passphrase takes a while to type. */
const signMs = 110_000;

/** Decisions on several machines are asked about one after the other. */
let before: Promise<unknown> = Promise.resolve();

export const proveAtTerminal: Prover = (wanted) => {
  const proof = before.then(() => proveOne(wanted));
  before = proof.catch(() => undefined);
  return proof;
};

/** Where somebody sees another program's screen, nothing can be asked: an SSH key signs without. */
export const proveUnasked: Prover = async ({ challenge, method, params, signal }) => {
  if (challenge.kind === 'totp')
    throw new CliError('denied', 'proof_wanted', 'It takes a code of your app.', 'Attach again to type it.');
  return await signed(challenge, decisionText(method, params, challenge.nonce), false, signal);
};

async function signed(
  { nonce, keys }: Extract<Challenge, { kind: 'ssh-key' }>,
  text: string,
  hasTerminal: boolean,
  gone?: AbortSignal,
): Promise<Proof> {
  const { signDecision } = await import('./sign.ts');
  const signal = AbortSignal.any([AbortSignal.timeout(signMs), ...(gone ? [gone] : [])]);
  return { nonce, signature: await signDecision({ text, keys, env: process.env, signal, hasTerminal }) };
}

async function proveOne({ challenge, method, params, why, attempt, signal }: WantedProof): Promise<Proof> {
  const { nonce } = challenge;
  if (challenge.kind === 'totp') {
    if (why !== undefined) say(safeLine(why));
    return { nonce, code: await codeTyped(attempt, why, signal) };
  }
  if (canAsk()) {
    const isTouch = challenge.keys.some((key) => key.startsWith('sk-'));
    say(isTouch ? 'Touch your key to decide this.' : 'Signing with your SSH key.');
  }
  return await signed(challenge, decisionText(method, params, nonce), canAsk(), signal);
}

async function codeTyped(
  attempt: number,
  why: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { SYNTHESIS_CODE: given } = process.env;
  if (given) {
    if (attempt === 1) return given;
    throw new CliError(
      'denied',
      'proof_wanted',
      `${why ?? 'That code is not taken.'} Nothing was decided.`,
      'Run it again with the next code of your app in SYNTHESIS_CODE.',
    );
  }
  if (!canAsk())
    throw new CliError(
      'denied',
      'proof_wanted',
      'Nothing is decided on this machine without a code of your app, and there is no terminal to type it in.',
      'Nothing was decided. Run it in a terminal, or give the code in SYNTHESIS_CODE.',
    );
  using questions = new Questions('Nothing was decided.', signal);
  // Awaited here: the terminal is given back when this function is left.
  return await questions.line('Code from your app: ');
}
