// What a client shows to decide where `operator.secret` is set (decision 0059), and what it signs.
import { hashId } from '../../base/digest.ts';

/** What signatures are made for, so that one for git or a file decides nothing. */
export const proofNamespace = 'decide@synthesis';

/** Sent with the error `proof_wanted`. It is for this one call, on its connection, and holds for two minutes. */
export type Challenge = { nonce: string } & (
  | { kind: 'totp' }
  /** Public keys, a line each. */
  | { kind: 'ssh-key'; keys: readonly string[] }
);

/** Sent along with the call when it is repeated. */
export type Proof = { nonce: string } & ({ code: string } | { signature: string });

/** Returns the text that is signed: both ends make it of what they send or got. @throws RangeError for params too deep */
export const decisionText = (method: string, params: unknown, nonce: string): string =>
  [
    'a decision of the operator',
    `method ${method}`,
    `params ${paramsDigest(params)}`,
    `challenge ${nonce}`,
    '',
  ].join('\n');

/** Names what is in the params, in whichever order it was written. */
export const paramsDigest = (params: unknown): string => hashId(JSON.stringify(params ?? {}, inOrder), 64);

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
