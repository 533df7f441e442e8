import type { GatewayStatus } from '../../domain/views/control.ts';
import { safeLine } from './safe.ts';

/** One line about the connection to a gateway. Its reason may quote a foreign server. */
export function gatewayWords({ url, state, attempt, reason }: GatewayStatus): string {
  const tries = attempt > 0 ? `, attempt ${attempt}` : '';
  return safeLine(`gateway ${url}: ${state}${tries}${reason === null ? '' : ` (${reason})`}`);
}
