import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Provider } from '../../../protocol/settings/provider.ts';

export interface TransportEvents {
  /** What it prints for people, in pieces. */
  said(text: string): void;
  /** It sent what is no message of the protocol. */
  garbled(): void;
  /** It ended, or could not be started: why, in words. At most once. */
  ended(why: string): void;
}

export interface ProviderTransport extends Transport {
  /** Ends it at once: it hangs. */
  kill(): void;
}

/** @throws Error in words, when there is nothing to connect to */
export type OpenTransport = (provider: Provider, events: TransportEvents) => Promise<ProviderTransport>;
