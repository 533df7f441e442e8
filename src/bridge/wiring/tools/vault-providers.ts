// The vaults of the configuration as providers of tools: one for each folder of notes that some session has.
import { isDeepStrictEqual } from 'node:util';
import { late } from '../../../base/late.ts';
import { isVault, vaultGrants } from '../../../domain/policy/provider-grants.ts';
import { Provider } from '../../../protocol/settings/provider.ts';
import {
  type VaultChoice,
  type VaultSettings,
  vaultProviderAt,
  vaultsOf,
} from '../../../protocol/settings/vault.ts';
import { vaultFor } from '../../profiles.ts';

export class VaultProviders {
  readonly #choice: VaultChoice;
  readonly #vaults: readonly VaultSettings[];
  readonly all: readonly Provider[];

  /**
   * @param program of a provider
   * @param stateDir where the indexes are
   */
  constructor(choice: VaultChoice, program: string, stateDir: string) {
    this.#choice = choice;
    this.#vaults = vaultsOf(choice);
    this.all = this.#vaults.map((settings, at) => {
      const order = JSON.stringify({ settings, stateDir, all: this.#vaults });
      return {
        ...common(),
        ...vaultGrants,
        name: vaultProviderAt(at),
        command: [process.execPath, program, order],
      };
    });
  }

  /** Whether this session's Claude has that provider's tools. */
  isFor(key: string, provider: string): boolean {
    if (!isVault(provider)) return true;
    const vault = vaultFor(this.#choice, key);
    return vault !== undefined && provider === vaultProviderAt(this.#indexOf(vault));
  }

  #indexOf(vault: VaultSettings): number {
    return this.#vaults.findIndex((each) => isDeepStrictEqual(each, vault));
  }
}

/** What an entry of the configuration has where it says nothing. */
const common = late(() => {
  const { name: _, command: __, ...rest } = Provider.parse({ name: 'vault', command: ['vault'] });
  return rest;
});
