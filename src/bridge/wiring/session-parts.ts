// What only sessions need is not loaded with the bridge: it is ready a tenth sooner.
import { systemClock } from '../../base/clock.ts';
import type { StartHost } from '../claude/host-port.ts';
import { loadExeca } from '../claude/preflight.ts';
import { hostProgram } from '../programs.ts';

export async function loadHosts(): Promise<StartHost> {
  const { startHost } = await import('../terminal/start-host.ts');
  const options = { clock: systemClock, program: hostProgram, nodePath: process.execPath };
  return (dir, run) => startHost(options, dir, run);
}

/**
 * Once the bridge is ready, so that the first session need not wait, and an update of the package under a running bridge
 * takes nothing away. What cannot be loaded is said when a session needs it.
 */
export async function loadSessionParts(): Promise<void> {
  await Promise.allSettled([loadHosts(), loadExeca()]);
}
