import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused before it is looked at. */
export type Refusal = 'host' | 'origin';

/**
 * A page in a browser must not reach this port, neither directly (it sends an Origin) nor by DNS rebinding (its Host
 * names another machine). Checked before authentication and before a WebSocket upgrade.
 */
export function checkOrigin(headers: IncomingHttpHeaders, port: number): Refusal | undefined {
  const allowed = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (!headers.host || !allowed.includes(headers.host.toLowerCase())) return 'host';
  return headers.origin === undefined ? undefined : 'origin';
}
