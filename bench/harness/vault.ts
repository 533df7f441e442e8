// A vault of the bench: where its index lies, and how one is made of it.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { systemClock } from '../../src/base/time/clock.ts';
import { VaultSettings } from '../../src/protocol/settings/vault.ts';
import { extrasFolder } from '../../src/vault/extras/extra.ts';
import { indexerFlags } from '../../src/vault/indexing/indexer-child.ts';
import type { IndexOrder } from '../../src/vault/indexing/order.ts';
import { Vault } from '../../src/vault/vault.ts';
import { vaultPlaces } from '../../src/vault/vault-dir.ts';
import { extrasState } from '../../test/real/support/extras.ts';
import { fromBench } from './place.ts';
import { Program } from './program.ts';
import type { Taken } from './taken.ts';

/** A full index takes so long at most, milliseconds. */
const patienceMs = 300_000;

const programs = {
  indexer: fromBench('../src/vault/indexing/indexer.ts'),
  meaning: fromBench('../src/vault/meaning/meaning.ts'),
};

export interface BenchVault {
  settings: VaultSettings;
  stateDir: string;
}

export type ChosenSettings = Partial<Pick<z.input<typeof VaultSettings>, 'embeddings' | 'ollama'>>;

export const benchVault = (path: string, stateDir: string, chosen: ChosenSettings = {}): BenchVault => ({
  settings: VaultSettings.parse({ path, ...chosen }),
  stateDir,
});

/** Has a state directory find what the tests have installed on demand. */
export function linkExtras(stateDir: string): void {
  mkdirSync(join(stateDir, 'vault'), { mode: 0o700 });
  symlinkSync(extrasFolder(extrasState), extrasFolder(stateDir));
}

export class Indexer implements AsyncDisposable {
  readonly #program: Program;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async start(env: Record<string, string>): Promise<Indexer> {
    return new Indexer(await Program.start([...indexerFlags, fromBench('subject/index-notes.ts')], env));
  }

  /** Brings the index of the vault up to date. */
  async index({ settings, stateDir }: BenchVault): Promise<Taken> {
    const { path: root, include, exclude } = settings;
    const { dir } = vaultPlaces(stateDir, settings);
    const order: IndexOrder = { root, include, exclude, dir, rebuild: false };
    return (await this.#program.ask(order, patienceMs)) as unknown as Taken;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}

/** For searching: who opens it has had its index made. */
export const openVault = ({ settings, stateDir }: BenchVault): Vault =>
  new Vault({
    settings,
    ...vaultPlaces(stateDir, settings),
    clock: systemClock,
    ...programs,
    printed: (text) => void process.stderr.write(text),
    stays: false,
  });
