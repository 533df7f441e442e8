// What N7 is compared with: every message of a stream fetched by one consumer, the bytes of each subject in a file that is
// synced, and one message published for each.
import { fdatasync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const sync = promisify(fdatasync);

/** @param dir empty */
export async function bareFetch(connection: NatsConnection, stream: string, dir: string): Promise<void> {
  const client = jetstream(connection);
  const { streams } = await client.jetstreamManager();
  await streams.add({ name: 'BARE', subjects: ['bare.>'], storage: 'file' });
  const consumer = await client.consumers.get(stream);
  let { messages } = (await streams.info(stream)).state;
  const files = new Map<string, number>();
  for await (const message of await consumer.consume()) {
    const file = files.get(message.subject) ?? openSync(join(dir, message.subject), 'wx', 0o600);
    files.set(message.subject, file);
    writeSync(file, message.data);
    // Where messages were purged, 2.9.10 may say to the end that some are pending.
    messages -= 1;
    if (messages === 0) break;
  }
  await Promise.all(files.values().map((file) => sync(file)));
  await Promise.all(files.keys().map((subject) => client.publish(`bare.${subject}`, subject)));
}
