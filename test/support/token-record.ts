import { digestOf, type TokenRecord } from '../../src/bridge/tokens/token-record.ts';

/** A token as `tokens.json` has it; without more it opens conversations. */
export const tokenRecord = (secret: string, about: Partial<TokenRecord> = {}): TokenRecord => ({
  id: `id-${secret}`,
  scopes: ['chat'],
  created: 0,
  ...about,
  digest: digestOf(secret),
});
