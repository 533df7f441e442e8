import { lookAtDirectory } from '../../../base/files/own-path.ts';
import { type Check, ok, warning } from '../../../domain/views/check.ts';
import type { TokenView } from '../../../domain/views/tokens.ts';
import { bridgeTokenId, listTokens, TokensUnreadableError } from '../../tokens/manage-tokens.ts';
import type { Examination } from '../examination.ts';

const name = 'tokens';

/** The tokens that the operator has made, and which of them have expired. Who may read the files is a matter of `state`. */
export const tokens: Examination = async ({ stateDir }) => {
  if (lookAtDirectory(stateDir) === undefined) return [];
  try {
    const made = listTokens(stateDir, Date.now()).filter(({ id }) => id !== bridgeTokenId);
    return made.length === 0 ? [] : [counted(made)];
  } catch (error) {
    if (!(error instanceof TokensUnreadableError)) throw error;
    const remedy = 'Correct it, or move it away and make the tokens anew with `synthesis token new`.';
    return [warning(name, error.message, remedy)];
  }
};

function counted(made: readonly TokenView[]): Check {
  const expired = made.filter((token) => token.expired).map(({ id }) => id);
  const hold = made.length - expired.length;
  const words = `${hold} ${hold === 1 ? 'token holds' : 'tokens hold'} besides the bridge's own`;
  if (expired.length === 0) return ok(name, `${words}.`);
  const verb = expired.length === 1 ? 'has' : 'have';
  return ok(
    name,
    `${words}; ${expired.join(', ')} ${verb} expired, and \`synthesis token revoke\` takes that away.`,
  );
}
