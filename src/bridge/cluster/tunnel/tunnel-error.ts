const codes = ['no_listener', 'timeout', 'refused', 'closed', 'peer_gone', 'protocol'] as const;

/**
 * - `no_listener`: no node listens on that subject. `timeout`: one may, but it did not answer in time.
 * - `refused`: the node that listens said no. `closed`: one of the sides ended the tunnel before its end.
 * - `peer_gone`: nothing was heard of the other side for too long. `protocol`: it said what no tunnel says.
 */
export type TunnelErrorCode = (typeof codes)[number];

/** Why there is no tunnel, or none any more. */
export class TunnelError extends Error {
  readonly code: TunnelErrorCode;

  constructor(code: TunnelErrorCode, message: string) {
    super(message);
    this.name = 'TunnelError';
    this.code = code;
  }
}
