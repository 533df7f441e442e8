import { LockBusyError } from '../../../base/files/kernel-lock.ts';
import { CliError } from '../../cli-error.ts';
import { nearest } from '../../nearest.ts';

type Manage = typeof import('../../../bridge/tokens/manage-tokens.ts');

/** Does something with the tokens of a state directory. @throws CliError for what the operator can set right */
export async function withTokens<T>(work: (tokens: Manage) => T): Promise<T> {
  const tokens = await import('../../../bridge/tokens/manage-tokens.ts');
  try {
    return work(tokens);
  } catch (error) {
    if (error instanceof tokens.UnknownTokenError) throw unknownToken(error.wanted, error.known);
    if (error instanceof tokens.TokensUnreadableError)
      throw new CliError(
        'failure',
        'bad_tokens',
        `${error.message} Nothing was changed; the bridge's own token is another file, and holds.`,
        'Correct it, or move it away and make the tokens anew with `synthesis token new`.',
      );
    if (error instanceof LockBusyError)
      throw new CliError(
        'failure',
        'tokens_busy',
        'Another `synthesis token` has been at work for 10 s; nothing was changed.',
        'Run it again in a moment.',
      );
    throw error;
  }
}

/** The bridge's own token is a file, and OpenClaw would be left without one. */
export const ownToken = (): CliError =>
  new CliError(
    'usage',
    'own_token',
    "The bridge's own token cannot be revoked; nothing was changed.",
    'Run `synthesis token rotate`: the one that is in use is refused from then on.',
  );

function unknownToken(wanted: string, known: readonly string[]): CliError {
  const near = nearest(wanted, known);
  const isName = known.filter((each) => each === wanted).length > 1;
  return new CliError(
    'not_found',
    'no_such_token',
    isName
      ? `More than one token is called "${wanted}"; nothing was changed.`
      : `There is no token "${wanted}"${near === undefined ? '.' : `; did you mean "${near}"?`} Nothing was changed.`,
    'Run `synthesis token list` to see their ids.',
  );
}
