import type { GatewayStatus } from '../../../domain/views/control.ts';
import { safeLine } from '../safe.ts';

/** One line about the connection to a gateway. Its reason may quote a foreign server. */
export function gatewayWords({ kind, url, state, attempt, reason }: GatewayStatus): string {
  const tries = attempt > 0 ? `, attempt ${attempt}` : '';
  const name = kind === 'openclaw' ? 'OpenClaw gateway' : 'gateway';
  return safeLine(`${name} ${url}: ${state}${tries}${reason === null ? '' : ` (${reason})`}`);
}
