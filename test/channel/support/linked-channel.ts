// A channel server in this process: MCP over a linked pair of transports, the wire over a real WebSocket.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { silentLog } from '../../../src/base/log.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { Channel } from '../../../src/channel/channel.ts';
import type { Settings } from '../../../src/channel/settings.ts';
import { dialWebSocket } from '../../../src/channel/ws-dial.ts';
import { fastClock } from './fast-clock.ts';

interface Received {
  method: string;
  params?: Record<string, unknown> | undefined;
}

export interface LinkedChannel {
  client: Client;
  /** Every notification that the client got, in order. */
  received: Received[];
  close(): Promise<void>;
}

export const linkedTo = (url: string, offlineMs = 600_000): Settings => ({
  kind: 'linked',
  offlineMs,
  link: { url, token: 'secret-of-the-test', openclawSession: 'agent:main:main', claudeSession: 'claude-1' },
});

/** `connectClient: false` leaves the MCP handshake to the test. */
export async function startChannel(
  settings: Settings,
  options: { clock?: Clock; connectClient?: boolean } = {},
): Promise<LinkedChannel> {
  const clock = options.clock ?? fastClock(20);
  const channel = new Channel({ settings, clock, log: silentLog, pid: process.pid });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'claude-code', version: '0.0.0' }, { capabilities: {} });
  const received: Received[] = [];
  client.fallbackNotificationHandler = async (notification) => {
    received.push(notification);
  };
  await channel.serve(theirs);
  if (options.connectClient !== false) await client.connect(ours);
  channel.link(dialWebSocket);
  return {
    client,
    received,
    close: async () => {
      await channel.close();
      await client.close();
    },
  };
}
