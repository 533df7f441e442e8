// One token as `<state>/tokens.json` keeps it: everything but its secret.
import { z } from 'zod';
import { sha256 } from '../../base/secret.ts';
import { isTokenScope, type TokenGrant } from '../../protocol/tokens.ts';

/** Wall clock, epoch ms, as far as a date goes. */
const Time = z.number().min(0).max(8.64e15);

/** What a later release adds is kept, and a scope that is not known here opens nothing. */
const TokenRecord = z.looseObject({
  id: z.string().min(1),
  name: z.string().optional(),
  scopes: z.array(z.string()),
  /** See `fitsSession`. */
  session: z.string().optional(),
  created: Time,
  /** Absent: it holds until it is revoked. */
  expires: Time.optional(),
  /** SHA-256 of the secret, 64 hex digits. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

export const TokenRecords = z.looseObject({ tokens: z.array(TokenRecord) });
export type TokenRecords = z.infer<typeof TokenRecords>;

export const grantOf = ({ id, name, scopes, session }: TokenRecord): TokenGrant => ({
  id,
  name,
  scopes: scopes.filter(isTokenScope),
  session,
});

export const digestOf = (secret: string): string => sha256(secret).toString('hex');

export const isExpired = ({ expires }: Pick<TokenRecord, 'expires'>, now: number): boolean =>
  expires !== undefined && expires <= now;
