// What the tokens of a bridge open. No schema: the command line's flags are described without one.

/**
 * `chat`: conversations, and what is stored of them. `models`: the list of models. `metrics`: the numbers.
 * `operate`: to decide at the control socket without a terminal.
 */
export const tokenScopes = ['chat', 'models', 'metrics', 'operate'] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const isTokenScope = (text: string): text is TokenScope => tokenScopes.some((scope) => scope === text);

/** What a token may do. */
export interface TokenGrant {
  id: string;
  name?: string | undefined;
  scopes: readonly TokenScope[];
  /** The conversations it is for, as {@link fitsSession} has it; undefined: all. */
  session?: string | undefined;
}

/** What is known of a secret that was shown at a door. */
export type ShownToken =
  | { kind: 'holds'; grant: TokenGrant }
  /** `at`: since when, epoch ms. */
  | { kind: 'expired'; grant: TokenGrant; at: number }
  | { kind: 'unknown' }
  | { kind: 'missing' };

/**
 * Whether a token for `limit` may touch the conversation with this key: its exact key, or what a `*` at the end leaves
 * open. Any other `*` is itself.
 */
export function fitsSession(limit: string | undefined, key: string): boolean {
  if (limit === undefined) return true;
  return limit.endsWith('*') ? key.startsWith(limit.slice(0, -1)) : key === limit;
}
