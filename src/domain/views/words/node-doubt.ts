import type { ClusterView } from '../cluster.ts';

/** @returns why there may be others than those that a machine knows or reaches, in words; undefined when there are none */
export function nodeDoubt({ state, reason }: Pick<ClusterView, 'state' | 'reason'>): string | undefined {
  if (state === 'connected')
    return reason === null ? undefined : `There may be nodes that are not known here: ${reason}`;
  const why = (reason ?? 'the nats-servers have not answered yet').replace(/\.$/, '');
  return `No other node can be reached: ${why}.`;
}
