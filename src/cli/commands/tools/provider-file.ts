// The providers of the configuration file, as they are written there.

import type { Provider } from '../../../protocol/settings/provider.ts';
import { checkedConfig } from '../../config/config.ts';
import { type ConfigLayer, readConfigFile, writeConfigFile } from '../../config/config-file.ts';
import { providerName } from '../../config/provider-name.ts';

export interface ProviderFile {
  path: string;
  layer: ConfigLayer;
  entries: readonly unknown[];
}

/** @throws CliError `bad_config` when it has no list of them */
export function readProviders(path: string): ProviderFile {
  const layer = readConfigFile(path);
  const { providers: entries = [] } = layer;
  if (!Array.isArray(entries)) checked(layer, `The configuration is not valid (${path})`);
  return { path, layer, entries: Array.isArray(entries) ? entries : [] };
}

/** The names that can be read, however wrong the rest of an entry is. */
export const namesOf = ({ entries }: ProviderFile): string[] =>
  entries.flatMap((entry) => providerName(entry) ?? []);

export interface Change {
  /** What a bridge is to have then. */
  providers: Provider[];
  /** Nothing is written before. */
  write(): void;
}

/**
 * The file with these entries instead.
 * @throws CliError `bad_config` when that is not valid as a whole
 */
export function changed({ path, layer }: ProviderFile, entries: readonly unknown[]): Change {
  const { providers: _, ...others } = layer;
  const next = entries.length === 0 ? others : { ...layer, providers: entries };
  return {
    providers: checked(next, `This would not be a valid configuration (${path})`),
    write: () => writeConfigFile(path, next),
  };
}

const checked = (layer: ConfigLayer, message: string): Provider[] =>
  checkedConfig(layer, message, 'Nothing was changed.').providers;
