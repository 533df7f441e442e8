import { resolve } from 'node:path';
import { type IsolatedHome, isolatedHome } from '../../test/real/support/isolated-home.ts';
import { cleanEnv } from '../../test/real/support/peers.ts';

const fromRoot = (path: string) => resolve(import.meta.dirname, '../..', path);

/** Programs that are measured, as they are shipped. */
export const shipped = {
  cli: fromRoot('bin/synthesis.js'),
  channel: fromRoot('dist/channel/main.js'),
  host: fromRoot('dist/host/main.js'),
  simulatedClaude: fromRoot('dist/demo/claude.js'),
  vault: fromRoot('dist/vault/provider.js'),
};

export const fromBench = (path: string): string => resolve(import.meta.dirname, '..', path);

/** A home of its own for one run, and the small environment in which every program is started. */
export interface Place extends AsyncDisposable {
  home: IsolatedHome;
  env: Record<string, string>;
}

export async function newPlace(): Promise<Place> {
  const home = await isolatedHome('bench');
  return { home, env: cleanEnv(home.path), [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}
