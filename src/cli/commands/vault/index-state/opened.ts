// A vault of the configuration, opened for one command.
import type { Vault } from '../../../../vault/vault.ts';
import { say } from '../../../output/out.ts';
import type { Choice } from '../setup/choice.ts';

export interface Opened extends Disposable {
  vault: Vault;
  /** Where its index is. */
  dir: string;
}

/** @throws UnsafePathError */
export async function opened(state: string, { settings }: Choice): Promise<Opened> {
  const { Vault } = await import('../../../../vault/vault.ts');
  const { vaultPlaces } = await import('../../../../vault/vault-dir.ts');
  const { vaultPrograms } = await import('../../../../vault/programs.ts');
  const { systemClock: clock } = await import('../../../../base/time/clock.ts');
  const places = vaultPlaces(state, settings);
  const printed = (text: string) => say(text.trimEnd());
  const vault = new Vault({ settings, ...places, clock, ...vaultPrograms, printed, stays: false });
  return { vault, dir: places.dir, [Symbol.dispose]: () => vault.close() };
}

/**
 * The same, to write to its index: those of vaults that the configuration does not name any more are removed.
 * @throws UnsafePathError
 */
export async function openedToIndex(state: string, choice: Choice): Promise<Opened> {
  const { removeOtherIndexes } = await import('../../../../vault/vault-dir.ts');
  removeOtherIndexes(state, choice.all);
  return opened(state, choice);
}
