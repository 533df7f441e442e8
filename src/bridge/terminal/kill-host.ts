import { isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';

/**
 * Ends a host that does not do so when asked; what it had a terminal for gets SIGHUP. Only what certainly is it: without
 * start times nothing.
 */
export function killHost(host: ProcessIdentity): void {
  if (host.started === '' || !isAlive(host)) return;
  try {
    process.kill(host.pid, 'SIGKILL');
  } catch {
    // It went meanwhile.
  }
}
