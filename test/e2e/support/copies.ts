// What lies of conversations on the nats-servers, read without the bridge's code.
import { createHash } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { natsToken } from '../../support/nats.ts';

/** Epoch of whoever wrote the newest of a conversation's copies. */
export async function newestEpoch(servers: string[], session: string): Promise<number> {
  const connection = await connect({ servers, token: natsToken });
  try {
    const { streams } = await jetstreamManager(connection);
    const digest = createHash('sha256').update(session).digest('hex').slice(0, 32);
    const newest = await streams.getMessage('COPY_synthesis', { last_by_subj: `synthesis.copy.${digest}` });
    return Number(newest?.header.get('Synthesis-Epoch'));
  } finally {
    await connection.close();
  }
}
