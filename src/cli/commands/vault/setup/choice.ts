// Which of the vaults of the configuration a command is about.
import { shellWord } from '../../../../base/text/plain-word.ts';
import { type VaultSettings, vaultProviderAt, vaultsOf } from '../../../../protocol/settings/vault.ts';
import { CliError } from '../../../cli-error.ts';
import { readConfig } from '../../../config/config.ts';
import { configFile } from '../../../paths.ts';

export interface VaultOf {
  state: string;
  /** `match` of a profile; without one it is the vault of all other sessions. */
  profile?: string;
}

export interface Choice {
  settings: VaultSettings;
  /** Every vault of the configuration. */
  all: readonly VaultSettings[];
  /** What a bridge calls it. */
  provider: string;
}

/** @throws CliError `bad_config`, `no_vault`, `no_such_profile` */
export function chosenVault(profile: string | undefined): Choice {
  const path = configFile(process.env);
  const config = readConfig(path, process.env, {});
  const own = config.profiles.filter((each) => each.vault).map(({ match }) => match);
  const found = config.profiles.find(({ match }) => match === profile);
  if (profile !== undefined && !found) throw noSuchProfile(profile, own, path);
  const settings = found?.vault ?? config.vault;
  if (!settings) throw noVault(path, profile, own);
  const all = vaultsOf(config);
  const at = all.findIndex((each) => JSON.stringify(each) === JSON.stringify(settings));
  return { settings, all, provider: vaultProviderAt(at) };
}

/** A command line for people to copy. */
export const commandFor = (command: string, profile: string | undefined): string =>
  `synthesis vault ${command}${profile === undefined ? '' : ` --profile ${shellWord(profile)}`}`;

/** @param own profiles that have a vault */
export const noSuchProfile = (profile: string, own: readonly string[], path: string): CliError =>
  new CliError(
    'usage',
    'no_such_profile',
    `No profile in ${path} has the match "${profile}".`,
    own.length > 0 ? `These have a vault of their own: ${own.join(', ')}` : 'No profile has a vault.',
  );

function noVault(path: string, profile: string | undefined, own: readonly string[]): CliError {
  const whose = profile === undefined ? '' : ` for the profile "${profile}"`;
  const others = own.length > 0 ? ` These profiles have one (--profile): ${own.join(', ')}` : '';
  return new CliError(
    'usage',
    'no_vault',
    `No vault is configured${whose} (${path}).`,
    `Name the folder of your notes: ${commandFor('init <folder>', profile)}.${others}`,
  );
}
