// What `synthesis token` does, with or without a bridge.
import { newToken, randomLetters } from '../../base/ids.ts';
import type { TokenView } from '../../domain/views/tokens.ts';
import type { TokenScope } from '../../protocol/tokens.ts';
import { claimStateDir } from '../state-files.ts';
import {
  bridgeGrant,
  bridgeTokenFile,
  bridgeTokenId,
  readBridgeToken,
  renewBridgeToken,
} from './bridge-token.ts';
import { changeTokens, readTokens } from './token-file.ts';
import { digestOf, grantOf, isExpired, type TokenRecord } from './token-record.ts';
import { readTokenUse } from './token-use.ts';

export { bridgeTokenId } from './bridge-token.ts';
export { TokensUnreadableError } from './token-file.ts';

export interface WantedToken {
  scopes: readonly TokenScope[];
  name?: string | undefined;
  /** See `fitsSession`. */
  session?: string | undefined;
  /** Milliseconds; undefined: until it is revoked. */
  lifetimeMs?: number | undefined;
}

/** No token has this id, and none, or more than one, this name. Nothing was changed. */
export class UnknownTokenError extends Error {
  readonly wanted: string;
  /** Ids and names that there are. */
  readonly known: readonly string[];

  constructor(wanted: string, known: readonly string[]) {
    super(`no token ${JSON.stringify(wanted)}`);
    this.name = 'UnknownTokenError';
    this.wanted = wanted;
    this.known = known;
  }
}

/** Letters that are not taken for one another. */
const idLetters = 'abcdefghijkmnpqrstuvwxyz23456789';
const idLength = 8;

/** What expired longer ago than this is dropped when a token is made: until then its owner is told why it is refused. */
const keepExpiredMs = 30 * 86_400_000;

/**
 * Makes a token. Its secret is nowhere but in what this returns.
 * @param now wall clock, epoch ms
 */
export function makeToken(
  stateDir: string,
  { scopes, name, session, lifetimeMs }: WantedToken,
  now: number,
): { secret: string; view: TokenView } {
  return changeTokens(claimStateDir(stateDir), (tokens) => {
    const kept = tokens.filter((token) => !isExpired(token, now - keepExpiredMs));
    const id = freeId(kept);
    const secret = secretOf(id);
    const record: TokenRecord = {
      id,
      ...(name !== undefined && { name }),
      scopes: [...scopes],
      ...(session !== undefined && { session }),
      created: now,
      ...(lifetimeMs !== undefined && { expires: now + lifetimeMs }),
      digest: digestOf(secret),
    };
    return { tokens: [...kept, record], result: { secret, view: viewOf(record, undefined, now) } };
  });
}

const secretOf = (id: string): string => `syn_${id}_${newToken()}`;

function freeId(tokens: readonly TokenRecord[]): string {
  const id = randomLetters(idLetters, idLength);
  return tokens.some((token) => token.id === id) ? freeId(tokens) : id;
}

/**
 * Takes tokens away, by id or by a name that only one has; all of them or none.
 * @throws UnknownTokenError
 */
export function revokeTokens(stateDir: string, wanted: readonly string[], now: number): TokenView[] {
  return changeTokens(claimStateDir(stateDir), (tokens) => {
    const meant = wanted.map((each) => found(tokens, each));
    return {
      tokens: tokens.filter((token) => !meant.includes(token)),
      result: [...new Set(meant)].map((record) => viewOf(record, undefined, now)),
    };
  });
}

/**
 * Gives a token another secret; the one before is refused from then on. What expires holds as long anew as it did.
 * @throws UnknownTokenError
 */
export function rotateToken(
  stateDir: string,
  wanted: string,
  now: number,
): { secret: string; view: TokenView } {
  return changeTokens(claimStateDir(stateDir), (tokens) => {
    const before = found(tokens, wanted);
    const secret = secretOf(before.id);
    const { created, expires } = before;
    const record: TokenRecord = {
      ...before,
      created: now,
      ...(expires !== undefined && { expires: now + (expires - created) }),
      digest: digestOf(secret),
    };
    return {
      tokens: tokens.map((token) => (token === before ? record : token)),
      result: { secret, view: viewOf(record, undefined, now) },
    };
  });
}

/** Gives the bridge's own token another secret, in its file. @returns the path */
export const rotateBridgeToken = (stateDir: string): string => renewBridgeToken(claimStateDir(stateDir)).file;

/** Every token, the bridge's own first where there is one. Nothing is changed. */
export function listTokens(stateDir: string, now: number): TokenView[] {
  const use = readTokenUse(stateDir);
  const own = readBridgeToken(stateDir) === undefined ? [] : [bridgeView(stateDir, use)];
  return [...own, ...readTokens(stateDir).map((record) => viewOf(record, use.get(record.id), now))];
}

function found(tokens: readonly TokenRecord[], wanted: string): TokenRecord {
  const byId = tokens.find(({ id }) => id === wanted);
  const [named, ...more] = tokens.filter(({ name }) => name === wanted);
  const meant = byId ?? (more.length === 0 ? named : undefined);
  if (meant) return meant;
  const known = tokens.flatMap(({ id, name }) => [id, ...(name === undefined ? [] : [name])]);
  throw new UnknownTokenError(wanted, known);
}

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

function viewOf(record: TokenRecord, used: number | undefined, now: number): TokenView {
  const { id, name = null, session = null, created, expires } = record;
  return {
    id,
    name,
    scopes: [...grantOf(record).scopes],
    session,
    created: iso(created),
    expires: iso(expires),
    expired: isExpired(record, now),
    last_used: iso(used),
    file: null,
  };
}

const bridgeView = (stateDir: string, use: ReadonlyMap<string, number>): TokenView => ({
  id: bridgeTokenId,
  name: bridgeGrant.name ?? null,
  scopes: [...bridgeGrant.scopes],
  session: null,
  created: null,
  expires: null,
  expired: false,
  last_used: iso(use.get(bridgeTokenId)),
  file: bridgeTokenFile(stateDir),
});
