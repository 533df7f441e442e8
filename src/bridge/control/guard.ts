// Stands between a connection of the control socket and what it calls.
import { type Caller, highestRight, mayCall, type Right } from '../../domain/caller/caller.ts';
import type { Challenge, Proof } from '../../domain/views/operator-proof.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import { ProofWantedError } from './proof-wanted-error.ts';

/** One call, as it came. */
export interface GuardedCall {
  method: string;
  right: Right;
  params?: unknown;
  /** Whether it takes the operator secret, where one is configured. */
  takesProof?: boolean;
  proof?: Proof | undefined;
}

/** The operator secret, for one connection. */
export interface ProofDesk {
  ask(call: GuardedCall): Challenge;
  /** What was shown counts once. `by`: what it was proven with. `again`: whether another try may be right. */
  check(
    proof: Proof,
    call: GuardedCall,
  ): { ok: true; by: string } | { ok: false; why: string; again: boolean };
}

export interface GuardOptions {
  /** Looks at who is at the other end. */
  caller(): Caller;
  /** Whether the configuration lets such a caller decide. */
  trusts(caller: Caller): boolean;
  /** Whether this is the secret of a token that may decide. */
  isProof(secret: string): boolean;
  refused(refusal: { caller: Caller; method: string; isLook: boolean }): void;
  /** Undefined where the configuration names no secret. */
  secret?: ProofDesk | undefined;
  /** Somebody has proven with the secret that they decide this. */
  proven?(proven: { caller: Caller; method: string; by: string }): void;
}

/** Who may make a call. `provenBy`: with which secret, such as `ssh-ed25519 SHA256:…`. */
export interface Admitted {
  caller: Caller;
  provenBy?: string;
}

/** Of one connection. */
export class Guard {
  readonly #options: GuardOptions;
  /** Asked again for each call: it may have been revoked. */
  #token: string | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** @throws OperatorError `not_allowed`; `proof_wanted` with what is to be proven */
  admit(call: GuardedCall): Admitted {
    const { caller: look, refused, secret } = this.#options;
    const { method, right, takesProof = false } = call;
    const caller = look();
    const desk = takesProof ? secret : undefined;
    // What proves a person needs no token besides.
    if (!mayCall(caller, right, desk !== undefined || this.#isTrusted(caller))) {
      refused({ caller, method, isLook: right === 'look' });
      throw refusal(caller, this.#token !== undefined);
    }
    return desk ? { caller, provenBy: this.#proven(desk, call, caller) } : { caller };
  }

  /** Returns the highest of what the caller may do now, before any proof. */
  highest(): Right {
    const caller = this.#options.caller();
    return highestRight(caller, this.#isTrusted(caller));
  }

  /** @throws OperatorError `not_allowed` when it proves nothing */
  prove(token: string): void {
    this.#token = token;
    if (!this.#options.isProof(token)) {
      throw new OperatorError(
        'not_allowed',
        'This token may not decide here: it is unknown, revoked, expired, or of another scope.',
        'See `synthesis token list`; `synthesis token new --scope operate` makes one.',
      );
    }
  }

  #proven(desk: ProofDesk, call: GuardedCall, caller: Caller): string {
    const { method, proof } = call;
    if (!proof) throw new ProofWantedError(desk.ask(call));
    const checked = desk.check(proof, call);
    if (checked.ok) {
      this.#options.proven?.({ caller, method, by: checked.by });
      return checked.by;
    }
    this.#options.refused({ caller: { ...caller, why: checked.why }, method, isLook: false });
    if (checked.again) throw new ProofWantedError(desk.ask(call), checked.why);
    throw new OperatorError(
      'not_allowed',
      `Nothing is decided on this machine without the operator secret. ${checked.why}`,
      'Nothing was changed. `synthesis docs permissions` says how to prove it.',
    );
  }

  #isTrusted(caller: Caller): boolean {
    const { isProof, trusts } = this.#options;
    return trusts(caller) || (this.#token !== undefined && isProof(this.#token));
  }
}

function refusal({ kind, why, from }: Caller, hasShown: boolean): OperatorError {
  const shown = hasShown ? ' The token that was shown may not decide either.' : '';
  switch (kind) {
    case 'claude':
      return new OperatorError(
        'not_allowed',
        `The bridge takes this for something that Claude Code has started (${why}; ${from}), which may stop things and decide nothing.`,
        'Nothing was changed. Run it in a terminal of your own.',
      );
    case 'unknown':
      return new OperatorError(
        'not_allowed',
        `The bridge cannot tell who calls (${why}), and lets only a person decide.${shown}`,
        'Nothing was changed. `synthesis doctor` says why; a token of scope `operate` or the setting `operator.unknown` allows it.',
      );
    default:
      return new OperatorError(
        'not_allowed',
        `Only a person at a terminal decides, and there seems to be none (${why}; ${from}).${shown}`,
        'Nothing was changed. Run it in a terminal, or give your script a token: `synthesis token new --scope operate`.',
      );
  }
}
