// What only sessions need is not loaded with the bridge: it is ready a tenth sooner.
import { loadExeca } from '../claude/preflight.ts';
import type { OpenTerminal } from '../claude/terminal-port.ts';

export async function loadTerminal(): Promise<OpenTerminal> {
  const { openTerminal } = await import('../terminal/live-terminal.ts');
  return openTerminal;
}

/**
 * Once the bridge is ready, so that the first session need not wait, and an update of the package under a running bridge
 * takes nothing away. What cannot be loaded is said when a session needs it.
 */
export async function loadSessionParts(): Promise<void> {
  await Promise.allSettled([loadTerminal(), loadExeca()]);
}
