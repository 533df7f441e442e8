// The vaults of the configuration file, as they are written there.
import type { Config } from '../../../../protocol/settings/config.ts';
import { VaultSettings } from '../../../../protocol/settings/vault.ts';
import { CliError } from '../../../cli-error.ts';
import { checkedConfig } from '../../../config/config.ts';
import {
  type ConfigLayer,
  readConfigFile,
  valueAt,
  withValue,
  writeConfigFile,
} from '../../../config/config-file.ts';
import { commandFor, noSuchProfile } from './choice.ts';

export interface VaultChange {
  /** What a bridge is to have then. */
  config: Config;
  settings: VaultSettings;
  /** The file says so already. */
  isWritten: boolean;
  /** Nothing is written before. */
  write(): void;
}

export interface VaultEntry {
  /** `vault` as it is to stand in the file. */
  entry: Partial<VaultSettings>;
  profile: string | undefined;
  /** Instead of another one. */
  replace: boolean;
}

/** @throws CliError `bad_config`, `no_such_profile`, `vault_exists` */
export function vaultChange(path: string, { entry, profile, replace }: VaultEntry): VaultChange {
  const layer = readConfigFile(path);
  const key = profile === undefined ? 'vault' : profileKey(layer, profile, path);
  // A misspelt `exclude` is to be corrected, not forgotten.
  if (!replace) checkedConfig(layer, `The configuration is not valid (${path})`, 'Nothing was changed.');
  const given = replace ? entry : together(vaultAt(layer, key), entry);
  const next = withVault(layer, key, given);
  const config = checkedConfig(
    next,
    `This would not be a valid configuration (${path})`,
    'Nothing was changed.',
  );
  const settings = VaultSettings.parse(given);
  const before = VaultSettings.safeParse(vaultAt(layer, key)).data;
  const isSame = JSON.stringify(before) === JSON.stringify(settings);
  if (before && !replace && notesOf(before) !== notesOf(settings))
    throw vaultExists(before, settings, path, profile);
  return { config, settings, isWritten: isSame, write: () => void (isSame || writeConfigFile(path, next)) };
}

/** The same folder keeps what is not said anew: nobody has to repeat what he excludes. */
function together(before: unknown, entry: Partial<VaultSettings>): Partial<VaultSettings> {
  if (typeof before !== 'object' || before === null || valueAt(before, 'path') !== entry.path) return entry;
  const ollama = entry.ollama && { ...(valueAt(before, 'ollama') as object | undefined), ...entry.ollama };
  return { ...before, ...entry, ...(ollama && { ollama }) };
}

/** Which notes these are: another choice of them is another vault, other ways to find them are not. */
const notesOf = ({ path, include, exclude, memories }: VaultSettings): string =>
  JSON.stringify([path, include, exclude, memories]);

/** A key of the file, or the place in its list of profiles. */
type Place = 'vault' | number;

function profileKey(layer: ConfigLayer, profile: string, path: string): number {
  const list = profilesOf(layer);
  const at = list.findIndex((each) => valueAt(each, 'match') === profile);
  if (at >= 0) return at;
  const own = list.filter((each) => valueAt(each, 'vault')).map((each) => String(valueAt(each, 'match')));
  throw noSuchProfile(profile, own, path);
}

const profilesOf = ({ profiles }: ConfigLayer): unknown[] => (Array.isArray(profiles) ? profiles : []);

const vaultAt = (layer: ConfigLayer, place: Place): unknown =>
  valueAt(place === 'vault' ? layer : profilesOf(layer)[place], 'vault');

function withVault(layer: ConfigLayer, place: Place, entry: object): ConfigLayer {
  if (place === 'vault') return withValue(layer, 'vault', entry);
  const profiles = profilesOf(layer).map((each, at) =>
    at === place ? { ...(each as ConfigLayer), vault: entry } : each,
  );
  return { ...layer, profiles };
}

function vaultExists(
  before: VaultSettings,
  { path: folder }: VaultSettings,
  path: string,
  profile: string | undefined,
): CliError {
  const what = before.path === folder ? 'this folder with other settings' : before.path;
  return new CliError(
    'usage',
    'vault_exists',
    `The vault in ${path} is ${what}. Nothing was changed.`,
    `To have this one instead, add --replace. To bring that one up to date: ${commandFor('index', profile)}`,
  );
}
