// This vault, through its own search.
import { statSync } from 'node:fs';
import { z } from 'zod';
import { Generations } from '../../src/vault/index/generations.ts';
import { vaultPlaces } from '../../src/vault/vault-dir.ts';
import { benchVault, Indexer, openVault } from '../harness/vault.ts';
import { bytesOf, type Finder, type FinderOptions, mostFound, usualResults } from './finder.ts';

const Results = z.object({ results: z.array(z.object({ file: z.string() })) });

export async function vaultFinder({ folder, dir, env }: FinderOptions): Promise<Finder> {
  const made = benchVault(folder, dir);
  await using indexer = await Indexer.start(env);
  const { cpuMs: indexMs } = await indexer.index(made);
  const vault = openVault(made);
  return {
    indexMs,
    bytes: indexBytes(new Generations(vaultPlaces(dir, made.settings).dir)),
    find: async (query) => {
      const { data } = await vault.search({ query, limit: mostFound });
      return Results.parse(data).results.map(({ file }) => file);
    },
    answerBytes: async (query) => bytesOf(await vault.search({ query, limit: usualResults })),
    [Symbol.asyncDispose]: async () => vault.close(),
  };
}

function indexBytes(generations: Generations): number {
  const number = generations.current();
  if (number === undefined) throw new Error('no index was made');
  return statSync(generations.database(number)).size;
}
