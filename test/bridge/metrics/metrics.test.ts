import { expect, test } from 'vitest';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import { Metrics } from '../../../src/bridge/metrics/metrics.ts';
import type { BridgeStatus } from '../../../src/domain/views/control.ts';
import { journalStats } from '../../../src/domain/views/journal.ts';
import { Scraped } from '../../support/prometheus.ts';

const status = { version: '1', status: 'healthy', panic: null, connections: [], providers: [] };
const queued = (turn: string) =>
  ({ type: 'turn.queued', turn, ingress: 'openai', text: '', meta: {} }) as const;

/** A journal whose disk answers when it is told to, and a clock of its own. */
function followed() {
  const journal = new MemoryJournal();
  const syncs: (() => void)[] = [];
  let [now, looks] = [0, 0];
  const metrics = new Metrics({
    now: () => now,
    durable: () => new Promise((resolve) => syncs.push(resolve)),
    look: async () => {
      looks += 1;
      const stats = journalStats({ origin: 0, last: journal.last, bytes: 0 }, []);
      return {
        now: 0,
        sessions: [],
        status: status as unknown as BridgeStatus,
        hosts: 0,
        journal: { ...stats, health: 'full', pending: 7, free: undefined },
      };
    },
  });
  metrics.follow(journal, []);
  return {
    journal,
    syncs,
    scraped: async () => new Scraped(await metrics.text()),
    text: () => metrics.text(),
    looks: () => looks,
    later: (ms: number) => {
      now += ms;
    },
  };
}

test('who asks while somebody is being answered gets the same answer, and who asks later a new one', async () => {
  const { text, looks, journal } = followed();
  const [first, ...others] = await Promise.all(Array.from({ length: 50 }, text));
  expect(looks()).toBe(1);
  expect(others.every((each) => each === first)).toBe(true);
  journal.append('k', [queued('t')]);
  expect(await text()).not.toBe(first);
  expect(looks()).toBe(2);
});

test('the time to disk is that of one row at a time; rows that come meanwhile are not waited for', async () => {
  const { journal, syncs, scraped, later } = followed();
  journal.append('k', [queued('t1')]);
  journal.append('k', [queued('t2')]);
  journal.append('k', [{ type: 'agent.status', status: {} }]);
  expect(syncs).toHaveLength(1);
  later(30);
  syncs[0]?.();
  expect((await scraped()).histogram('synthesis_journal_sync_seconds')).toMatchObject({
    count: 1,
    sum: 0.03,
  });
  journal.append('k', [{ type: 'agent.status', status: {} }]);
  expect(syncs).toHaveLength(1);
  journal.append('k', [queued('t3')]);
  expect(syncs).toHaveLength(2);
});

test('a full disk is shown as a state, with what waits for it; what the system does not say is left out', async () => {
  const seen = await followed().scraped();
  expect(seen.value('synthesis_disk_state', { state: 'full' })).toBe(1);
  expect(seen.value('synthesis_disk_state', { state: 'ok' })).toBe(0);
  expect(seen.value('synthesis_journal_pending_rows')).toBe(7);
  expect(seen.value('synthesis_disk_free_bytes')).toBeUndefined();
});
