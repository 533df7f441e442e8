// What lies of conversations on the nats-servers, read and written without the bridge's code.
import { createHash } from 'node:crypto';
import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { natsToken } from '../../support/nats.ts';

const stream = 'COPY_synthesis';
/** Of no conversation. */
const ballast = 'synthesis.copy.ballast';

async function withClient<T>(servers: string[], act: (client: JetStreamClient) => Promise<T>): Promise<T> {
  const connection = await connect({ servers, token: natsToken });
  try {
    return await act(jetstream(connection));
  } finally {
    await connection.close();
  }
}

const digestOf = (session: string) => createHash('sha256').update(session).digest('hex').slice(0, 32);

/** Epoch of whoever wrote the newest of a conversation's copies. */
export const newestEpoch = (servers: string[], session: string): Promise<number> =>
  withClient(servers, async (client) => {
    const { streams } = await client.jetstreamManager();
    const newest = await streams.getMessage(stream, { last_by_subj: `synthesis.copy.${digestOf(session)}` });
    return Number(newest?.header.get('Synthesis-Epoch'));
  });

/** Which node each conversation belongs to, as the bucket has it. */
export const ownersOf = (servers: string[], sessions: readonly string[]): Promise<string[]> =>
  withClient(servers, async (client) => {
    const bucket = await new Kvm(client).open('synthesis');
    const entries = await Promise.all(sessions.map((session) => bucket.get(`own.${digestOf(session)}`)));
    return entries.map((entry) => entry?.json<{ node: string }>().node ?? '');
  });

/** Takes all the room that is left for nodes. @param bytes that there is in all */
export const fill = (servers: string[], bytes: number): Promise<void> =>
  withClient(servers, async (client) => {
    const { streams } = await client.jetstreamManager();
    while ((await streams.info(stream)).state.bytes < bytes)
      await client.publish(ballast, new Uint8Array(16 * 1024));
  });

/** Gives it back. */
export const empty = (servers: string[]): Promise<void> =>
  withClient(servers, async (client) => {
    const { streams } = await client.jetstreamManager();
    // One by one: see src/bridge/cluster/copies/copy-store.ts.
    for (;;) {
      const next = { seq: 1, next_by_subj: ballast } as { seq: number };
      const found = await streams.getMessage(stream, next);
      if (!found) return;
      await streams.deleteMessage(stream, found.seq, false);
    }
  });
