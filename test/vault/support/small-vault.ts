import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { Envelope } from '../../../src/protocol/envelope.ts';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import type { SearchResult } from '../../../src/vault/search/search-data.ts';
import type { Withheld } from '../../../src/vault/search/search-index.ts';
import { Vault, type VaultOptions } from '../../../src/vault/vault.ts';
import { oneFile } from '../../support/one-file.ts';
import { tempFolder } from '../temp-vault.ts';

export const indexer = await oneFile(join(import.meta.dirname, '../../../src/vault/indexing/indexer.ts'));

export const meaning = await oneFile(join(import.meta.dirname, '../../../src/vault/meaning/meaning.ts'));

export interface SmallVault {
  vault: Vault;
  stateDir: string;
  /** Of its index. */
  dir: string;
  /** What its indexer printed. */
  printed: string[];
}

/** A vault with the real indexer, which ends with the test. */
export function smallVault(
  path: string,
  settings: Partial<VaultSettings> = {},
  options: Partial<VaultOptions> = {},
): SmallVault {
  const state = tempFolder();
  const dir = options.dir ?? join(state, 'index');
  const printed: string[] = [];
  const vault = new Vault({
    settings: VaultSettings.parse({ path, ...settings }),
    stateDir: state,
    dir,
    vectors: join(dir, 'vectors'),
    memoryLock: join(state, 'memories.lock'),
    clock: systemClock,
    indexer,
    meaning,
    printed: (text) => printed.push(text),
    stays: false,
    ...options,
  });
  onTestFinished(() => vault.close());
  return { vault, stateDir: options.stateDir ?? state, dir, printed };
}

export interface Found {
  status: Envelope['status'];
  /** Of the error; null without one. */
  code: string | null;
  message: string | null;
  results: SearchResult[];
  /** `file:line` of each result. */
  places: string[];
  withheld: Withheld[];
}

/** A search as an agent reads it. */
export async function find(
  vault: Vault,
  query: string,
  more: { limit?: number; folder?: string; tag?: string } = {},
): Promise<Found> {
  const { status, data, error } = await vault.search({ query, limit: 8, ...more });
  const { results = [], withheld = [] } = (data ?? {}) as unknown as Partial<Found>;
  const places = results.map(({ file, line }) => `${file}:${line}`);
  return { status, code: error?.code ?? null, message: error?.message ?? null, results, places, withheld };
}
