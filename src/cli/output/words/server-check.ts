// Which nats-servers have all that nodes keep on them, as `doctor` and `cluster status` say it.
import { type Check, ok, warning } from '../../../domain/views/check.ts';
import type { ServerRow } from '../../../domain/views/cluster.ts';

/** @param servers null: they do not say @returns undefined where everything lies on a single one */
export function serverCheck(servers: readonly ServerRow[] | null): Check | undefined {
  if (servers === null)
    return warning(
      'nats',
      'The nats-servers do not say which of them have all that machines keep there.',
      'Most of them have to run. Stop no other one before they do.',
    );
  const behind = servers.filter(({ current }) => !current);
  if (behind.length > 0)
    return warning(
      'nats',
      `${listed(behind)} ${behind.length > 1 ? 'have' : 'has'} not all that machines keep on the nats-servers.`,
      'Start it if it is down. Stop no other one before it has all.',
    );
  return servers.length > 1 ? ok('nats', `All that machines keep is on ${listed(servers)}.`) : undefined;
}

const and = new Intl.ListFormat('en-GB');

const listed = (servers: readonly ServerRow[]): string => and.format(servers.map(({ server }) => server));
