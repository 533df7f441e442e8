// What a machine does with its conversations when it has stood still: its timers come later than what it reads.
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { Homes } from '../../../../src/bridge/cluster/homes.ts';
import { Continuity } from '../../../../src/bridge/cluster/takeover/continuity.ts';
import { ClusterSettings, leastLeaseSeconds } from '../../../../src/protocol/cluster/cluster.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

const done = () => Promise.resolve();

/** Of one machine that has a conversation, and whose timers stand still. */
function machine() {
  const clock = new ManualClock();
  const held = new Set<string>();
  const settings = ClusterSettings.parse({
    node: 'mac',
    servers: ['nats://127.0.0.1:1'],
    leaseSeconds: leastLeaseSeconds,
  });
  const has = (key: string) => key === 'k';
  const bucket = () => undefined;
  const continuity = new Continuity({
    settings,
    instance: 'i',
    homes: new Homes({ node: 'mac', bucket, pinOf: () => undefined, has, clock }),
    port: {
      isOn: true,
      has,
      wants: has,
      keys: () => ['k'],
      isHeld: (key) => held.has(key),
      hold: (key) => held.add(key),
      house: done,
      gone: done,
      lease: () => {},
      session: () => undefined,
      seq: () => 0,
      refusal: () => undefined,
      free: done,
      transcriptFor: () => '',
      arrive: done,
    },
    erasures: { load: () => [], save: () => {} },
    transcript: () => undefined,
    files: { read: async () => undefined, write: done },
    connection: () => undefined,
    gone: () => new Set(),
    isDraining: () => false,
    clock,
    log: silentLog,
  });
  onTestFinished(() => continuity.close());
  return { continuity, held, clock };
}

test('a message that is read before it has noticed that it stood still finds the conversation held', async () => {
  const { continuity, held, clock } = machine();
  const keepMs = (leastLeaseSeconds * 1_000 * 2) / 3;
  continuity.wrote(continuity.now - keepMs + 100);
  await continuity.settled('k');
  expect([...held]).toEqual([]);
  await until('the lease to be over', () => continuity.leaseOf('k') === 0);
  expect([...held]).toEqual([]);
  const settled = continuity.settled('k');
  expect([...held]).toEqual(['k']);
  held.delete('k');
  clock.advance(1_000);
  expect(await settled).toBe(true);
});
