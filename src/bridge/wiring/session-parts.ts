// What only sessions need is not loaded with the bridge: it is ready a tenth sooner.
import { systemClock } from '../../base/clock.ts';
import type { StartHost } from '../claude/host-port.ts';
import { loadExeca } from '../claude/preflight.ts';
import { hostProgram } from '../programs.ts';
import { Scopes, type ScopesOptions } from '../terminal/scopes.ts';

/** @returns what loads the start of hosts, with `env` of the bridge */
export function hostLoader({ env, log }: ScopesOptions): () => Promise<StartHost> {
  const scopes = new Scopes({ env, log });
  const options = { clock: systemClock, scopes, program: hostProgram, nodePath: process.execPath };
  return async () => {
    const { startHost } = await loadStart();
    return (dir, run) => startHost(options, dir, run);
  };
}

const loadStart = () => import('../terminal/start-host.ts');

/**
 * Once the bridge is ready, so that the first session need not wait, and an update of the package under a running bridge
 * takes nothing away. What cannot be loaded is said when a session needs it.
 */
export async function loadSessionParts(): Promise<void> {
  await Promise.allSettled([loadStart(), loadExeca()]);
}
