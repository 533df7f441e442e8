import type { TokenScope } from '../../protocol/tokens.ts';

/** One entry of `synthesis token list --json`. Times are UTC, ISO 8601. The secret is in none. */
export interface TokenView {
  id: string;
  name: string | null;
  scopes: TokenScope[];
  /** The conversations it is for: a key, or the beginning of one and `*`; null: all. */
  session: string | null;
  /** Null of the bridge's own, which is only a file. */
  created: string | null;
  /** Null: it holds until it is revoked. */
  expires: string | null;
  expired: boolean;
  /** Beginning of the hour in which it was shown last; null: never, or not known. */
  last_used: string | null;
  /** Where the bridge's own lies; null of all others. */
  file: string | null;
}
