// Stands between a connection of the control socket and what it calls.
import { type Caller, highestRight, mayCall, type Right } from '../../domain/caller/caller.ts';
import { OperatorError } from '../app/operator/operator-error.ts';

export interface GuardOptions {
  /** Looks at who is at the other end. */
  caller(): Caller;
  /** Whether the configuration lets such a caller decide. */
  trusts(caller: Caller): boolean;
  /** Whether this is the secret of a token that may decide. */
  isProof(secret: string): boolean;
  refused(refusal: { caller: Caller; method: string; isLook: boolean }): void;
}

/** Of one connection. */
export class Guard {
  readonly #options: GuardOptions;
  /** Asked again for each call: it may have been revoked. */
  #proof: string | undefined;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** @returns who calls @throws OperatorError `not_allowed` */
  admit(method: string, right: Right): Caller {
    const { caller: look, refused } = this.#options;
    const caller = look();
    if (mayCall(caller, right, this.#isTrusted(caller))) return caller;
    refused({ caller, method, isLook: right === 'look' });
    throw refusal(caller, this.#proof !== undefined);
  }

  /** Returns the highest of what the caller may do now. */
  highest(): Right {
    const caller = this.#options.caller();
    return highestRight(caller, this.#isTrusted(caller));
  }

  /** @throws OperatorError `not_allowed` when it proves nothing */
  prove(secret: string): void {
    this.#proof = secret;
    if (!this.#options.isProof(secret)) {
      throw new OperatorError(
        'not_allowed',
        'This token may not decide here: it is unknown, revoked, expired, or of another scope.',
        'See `synthesis token list`; `synthesis token new --scope operate` makes one.',
      );
    }
  }

  #isTrusted(caller: Caller): boolean {
    const { isProof, trusts } = this.#options;
    return trusts(caller) || (this.#proof !== undefined && isProof(this.#proof));
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
