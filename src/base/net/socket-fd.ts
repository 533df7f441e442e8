import type { Duplex } from 'node:stream';

/** Returns the descriptor of a connection that the kernel has; undefined for one that is closed, or is none. */
export function fdOf(socket: Duplex): number | undefined {
  const { fd } = (socket as { _handle?: { fd?: number } | null })._handle ?? {};
  return typeof fd === 'number' && fd >= 0 ? fd : undefined;
}
