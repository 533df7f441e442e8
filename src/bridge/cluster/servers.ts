// Which nats-servers have all that nodes keep on them. As long as one has not, the others are all that there is of it.
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Clock, pause } from '../../base/time/clock.ts';
import type { ServerRow } from '../../domain/views/cluster.ts';

/** Each call has as long, ms: without a quorum no server answers. */
const callMs = 2_000;
/** Whoever is behind for as long has not all of it, ms: for a moment every write is on some servers first. */
const behindMs = 1_000;
/** Between two looks, ms. */
const lookMs = 200;

/**
 * @param streams names of what is kept
 * @returns by name; empty where one server has it alone, which then knows nothing of others
 * @throws what the servers say, or a timeout: there is no leader among them
 */
export async function serverRows(
  connection: NatsConnection,
  streams: readonly string[],
  clock: Clock,
): Promise<ServerRow[]> {
  const client = await jetstream(connection, { timeout: callMs }).jetstreamManager(false);
  const end = clock.now() + behindMs;
  const rows = await Promise.all(
    streams.map(async (stream) => {
      const current = new Set<string>();
      for (;;) {
        const { cluster } = await client.streams.info(stream);
        if (cluster?.leader) current.add(cluster.leader);
        const replicas = cluster?.replicas ?? [];
        for (const each of replicas) if (each.current && !each.offline) current.add(each.name);
        const behind = replicas.map(({ name }) => name).filter((name) => !current.has(name));
        if (behind.length === 0 || clock.now() >= end) return { current, behind };
        await pause(clock, lookMs);
      }
    }),
  );
  const behind = new Set(rows.flatMap((row) => row.behind));
  const all = new Set([...rows.flatMap((row) => [...row.current]), ...behind]);
  return [...all].sort().map((server) => ({ server, current: !behind.has(server) }));
}
