import type { IncomingMessage } from 'node:http';

/** Why a request is refused before it is looked at. */
export type Refusal = 'host' | 'origin' | 'path';

/**
 * A page in a browser must not reach this port, neither directly (it sends an Origin) nor by DNS rebinding (its Host
 * names another machine). Checked before authentication and before a WebSocket upgrade.
 */
export function checkOrigin(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  port: number,
): 'host' | 'origin' | undefined {
  const allowed = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  const hosts = valuesOf('host', rawHeaders);
  // Of two Host headers a proxy may have believed the other one.
  if (hosts.length !== 1 || !hosts.every((name) => allowed.includes(name.toLowerCase()))) return 'host';
  return valuesOf('origin', rawHeaders).length === 0 ? undefined : 'origin';
}

/** Node's own lists of them, `headersDistinct`, would stay with the request: 0.8 kB for each stream that is open. */
const valuesOf = (field: string, rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === field);
