/**
 * What became of a call. `down`: it was not made. `busy`, `refused`: the gateway did not do it, in its own words.
 * `lost`, `timeout`: it may have been done.
 */
export type GatewayCallCode = 'down' | 'busy' | 'refused' | 'lost' | 'timeout';

export class GatewayCallError extends Error {
  readonly code: GatewayCallCode;
  /** For the log: whether the words are the gateway's, which may repeat what was to be sent. */
  readonly quotes: boolean;

  constructor(code: GatewayCallCode, message: string) {
    super(message);
    this.name = 'GatewayCallError';
    this.code = code;
    this.quotes = code === 'busy' || code === 'refused';
  }
}
