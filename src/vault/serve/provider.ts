// A vault as a program that the bridge starts: it asks a person before a secret is released.
import { argv } from 'node:process';
import { z } from 'zod';
import { systemClock } from '../../base/time/clock.ts';
import { VaultSettings } from '../../protocol/settings/vault.ts';
import { vaultPrograms } from '../programs.ts';
import { removeOtherIndexes, vaultPlaces } from '../vault-dir.ts';
import { serve } from './serve.ts';

const Order = z.object({ settings: VaultSettings, stateDir: z.string(), all: z.array(VaultSettings) });

const { settings, stateDir, all } = Order.parse(JSON.parse(argv[2] ?? ''));
removeOtherIndexes(stateDir, all);
await serve({
  settings,
  ...vaultPlaces(stateDir, settings),
  clock: systemClock,
  ...vaultPrograms,
  releases: true,
});
