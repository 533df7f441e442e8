import type { TokenView } from '../../../domain/views/tokens.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { opensWords, untilWords } from './token-words.ts';
import { withTokens } from './told.ts';
import { type TokenFlags, wantedToken } from './wanted.ts';

export interface NewOptions extends TokenFlags {
  state: string;
  json: boolean;
}

/** Makes a token. The secret alone goes to standard output. */
export async function tokenNew(options: NewOptions): Promise<number> {
  const { state, json } = options;
  const wanted = wantedToken(options);
  const { secret, view } = await withTokens(({ makeToken }) => makeToken(state, wanted, Date.now()));
  showSecret(view, secret, json, 'Made');
  return exitCodes.ok;
}

/** @param did what became of the token, the first word of a sentence */
export function showSecret(view: TokenView, secret: string, json: boolean, did: string): void {
  if (json) return printJson({ ...view, token: secret });
  const called = view.name === null ? view.id : `${safeLine(view.name)} (${view.id})`;
  say(`${did} ${called}. It opens ${opensWords(view)}, and holds ${untilWords(view)}.`);
  say('This is the only time that it is shown:');
  print(secret);
}
