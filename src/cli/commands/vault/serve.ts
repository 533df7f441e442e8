// vault serve: an MCP server for any client. Standard output is the protocol's alone.
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { chosenVault, type VaultOf } from './setup/choice.ts';

export async function vaultServe({ state, profile }: VaultOf): Promise<number> {
  const { settings, all } = chosenVault(profile);
  const { serve } = await import('../../../vault/serve/serve.ts');
  const { removeOtherIndexes, vaultPlaces } = await import('../../../vault/vault-dir.ts');
  const { vaultPrograms } = await import('../../../vault/programs.ts');
  const { systemClock: clock } = await import('../../../base/time/clock.ts');
  if (process.stdin.isTTY)
    say(
      `An MCP server for ${safeLine(settings.path)} on standard input and output: an MCP client is to start it. Ctrl-C ends it.`,
    );
  removeOtherIndexes(state, all);
  await serve({ settings, ...vaultPlaces(state, settings), clock, ...vaultPrograms, releases: false });
  return exitCodes.ok;
}
