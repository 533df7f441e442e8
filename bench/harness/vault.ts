// A vault of the bench: where its index lies, and how one is made of it.
import { systemClock } from '../../src/base/clock.ts';
import { VaultSettings } from '../../src/protocol/vault.ts';
import { indexerFlags } from '../../src/vault/indexing/indexer-child.ts';
import type { IndexOrder } from '../../src/vault/indexing/order.ts';
import { Vault } from '../../src/vault/vault.ts';
import { vaultPlaces } from '../../src/vault/vault-dir.ts';
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

export const benchVault = (path: string, stateDir: string): BenchVault => ({
  settings: VaultSettings.parse({ path }),
  stateDir,
});

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
