// vault index: brings the index up to date, and says what became of it.
import type { Envelope } from '../../../protocol/envelope.ts';
import { exitOf } from '../../envelope-exit.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson } from '../../output/out.ts';
import { sayIndexed } from './index-state/indexed-words.ts';
import { indexed } from './index-state/indexing.ts';
import { chosenVault, type VaultOf } from './setup/choice.ts';

export interface IndexOptions extends VaultOf {
  rebuild: boolean;
  json: boolean;
}

export async function vaultIndex({ state, profile, rebuild, json }: IndexOptions): Promise<number> {
  const envelope: Envelope = await indexed(state, chosenVault(profile), { rebuild, quiet: json });
  if (json) printJson(envelope);
  else sayIndexed(envelope, profile);
  return exitCodes[exitOf(envelope)];
}
