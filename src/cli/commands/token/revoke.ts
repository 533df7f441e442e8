import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { ownToken, withTokens } from './told.ts';

export interface RevokeOptions {
  state: string;
  json: boolean;
  /** Ids or names. */
  tokens: string[];
}

export async function tokenRevoke({ state, json, tokens }: RevokeOptions): Promise<number> {
  const revoked = await withTokens(({ bridgeTokenId, revokeTokens }) => {
    if (tokens.includes(bridgeTokenId)) throw ownToken();
    return revokeTokens(state, tokens, Date.now());
  });
  if (json) printJson({ revoked });
  else
    for (const { id, name } of revoked) say(`Revoked ${name === null ? id : `${safeLine(name)} (${id})`}.`);
  if (!json) say('A running bridge refuses it from its next request on; an answer that is being sent ends.');
  return exitCodes.ok;
}
