// This vault, through its own search.
import { statSync } from 'node:fs';
import { z } from 'zod';
import type { Envelope } from '../../src/protocol/envelope.ts';
import { Generations } from '../../src/vault/index/generations.ts';
import { vaultPlaces } from '../../src/vault/vault-dir.ts';
import { benchVault, type ChosenSettings, Indexer, openVault } from '../harness/vault.ts';
import { bytesOf, type Finder, type FinderOptions, mostFound, usualResults } from './finder.ts';

const Results = z.object({ results: z.array(z.object({ file: z.string() })) });

/** @param chosen words alone if it is empty */
export async function vaultFinder(
  { folder, dir, env }: FinderOptions,
  chosen: ChosenSettings = {},
): Promise<Finder> {
  const made = benchVault(folder, dir, chosen);
  await using indexer = await Indexer.start(env);
  const { cpuMs: indexMs } = await indexer.index(made);
  const vault = openVault(made);
  const begun = performance.now();
  await vault.followed();
  return {
    // Of the model, which another process runs, the clock.
    indexMs: indexMs + performance.now() - begun,
    bytes: indexBytes(new Generations(vaultPlaces(dir, made.settings).dir)),
    find: async (query) => {
      const { data } = whole(await vault.search({ query, limit: mostFound }));
      return Results.parse(data).results.map(({ file }) => file);
    },
    answerBytes: async (query) => bytesOf(await vault.search({ query, limit: usualResults })),
    [Symbol.asyncDispose]: async () => vault.close(),
  };
}

/** @throws when it was found by less than was asked for, such as by words alone */
function whole(envelope: Envelope): Envelope {
  const { error } = envelope;
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return envelope;
}

function indexBytes(generations: Generations): number {
  const number = generations.current();
  if (number === undefined) throw new Error('no index was made');
  return statSync(generations.database(number)).size;
}
