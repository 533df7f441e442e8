import type { IncomingMessage } from 'node:http';

/** Why a request is refused before it is looked at. */
export type Refusal = 'host' | 'origin' | 'path';

/**
 * A page in a browser must not reach this port, neither directly (it sends an Origin) nor by DNS rebinding (its Host
 * names another machine). Checked before authentication and before a WebSocket upgrade.
 */
export function checkOrigin(
  { headersDistinct: { host, origin } }: Pick<IncomingMessage, 'headersDistinct'>,
  port: number,
): 'host' | 'origin' | undefined {
  const allowed = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  // Of two Host headers a proxy may have believed the other one.
  if (host?.length !== 1 || !host.every((name) => allowed.includes(name.toLowerCase()))) return 'host';
  return origin === undefined ? undefined : 'origin';
}
