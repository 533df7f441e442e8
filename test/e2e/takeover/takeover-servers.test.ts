// Conversations that another machine may take over, while nats-servers go: none moves, and what cannot be kept is refused.
import { describe, expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { empty, fill } from '../support/copies.ts';
import { insist, tell } from '../support/insist.ts';
import { Ledger } from '../support/ledger.ts';
import { Nodes } from '../support/nodes.ts';

/** Longer than servers take to choose a leader. */
const cluster = { takeover: true, leaseSeconds: 20 };
const config = { profiles: [{ match: 'alone', takeover: false }] };
const env = { SIM_LINE_MS: '2', SIM_LATENCY_MS: '5' };

const refusal = expect.toSatisfy(
  ({ end, status, body }) => end === 'refused' && [429, 503].includes(status) && body.includes('not taken'),
  'refused in words, with a status for which clients try again',
);

describe.concurrent('servers', () => {
  test('of which each is killed in turn: nothing is lost, and nothing moves; without most of them nothing is taken', async () => {
    await using nodes = await Nodes.met(['mac', 'box'], 3, { cluster, config, env });
    const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
    for (const session of ['one', 'alone']) await mac.ask(session, 'hello');
    await box.ask('two', 'hello');
    const homes = { one: 'mac', alone: 'mac', two: 'box' };
    const ledger = new Ledger(nodes, 2);
    const over = new AbortController();
    const talk = ledger.talk(['one', 'two'], Number.POSITIVE_INFINITY, over.signal);
    for (const [n, server] of nodes.servers.all.entries()) {
      const before = ledger.ended;
      ledger.struck('a server is killed');
      await server.kill();
      await until('messages meanwhile', () => ledger.ended >= before + 10, 60_000);
      await nodes.kept('mac', { behind: [`n${n}`] });
      await server.start();
      // As the guide says: who has not all of it agrees to nothing new, and with the next one gone nobody could.
      await nodes.kept('mac', { behind: [] });
    }
    over.abort();
    await talk;
    expect(ledger.faults()).toEqual([]);
    await nodes.live('mac', homes);

    const [first, second] = nodes.servers.all;
    await Promise.all([first?.kill(), second?.kill()]);
    const from = performance.now();
    expect(await tell(mac, { session: 'one', text: 'said to nobody' })).toEqual(refusal);
    // 5 s is what is promised; a busy machine may take longer.
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(await mac.ask('alone', '[[recall]]')).toContain('hello');
    expect((await nodes.command('mac', 'cluster', 'status')).code).toBe(7);
    await Promise.all([first?.start(), second?.start()]);
    expect(await insist(mac, 'one', '[[recall]]', 20_000)).toContain('hello');
    expect(nodes.given().filter((prompt) => prompt.includes('said to nobody'))).toEqual([]);
    await nodes.live('mac', homes);
  });

  test('that are full: what would have to be kept there is refused, and the rest goes on', async () => {
    await using nodes = await Nodes.met(['mac', 'box'], 1, {
      cluster: { ...cluster, storeMb: 1 },
      config,
      env,
    });
    const [mac, box] = [nodes.bridge('mac'), nodes.bridge('box')];
    for (const session of ['one', 'alone']) await mac.ask(session, 'hello');
    const late = mac.ask('slow', '[[wait:2000]][[say:at last]]');
    await until('the turn', () => nodes.given().some((prompt) => prompt.includes('at last')));
    const { urls } = nodes.servers;
    await fill(urls, 1024 * 1024);
    const isKnown = async () => (await tell(mac, { session: 'one', text: 'it fits' })).end === 'refused';
    await until('that it is known', isKnown);
    for (const [bridge, session] of [
      [mac, 'one'],
      [box, 'one'],
      [mac, 'slow'],
    ] as const)
      expect(await tell(bridge, { session, text: `said to the full: ${session}` })).toMatchObject({
        status: 429,
        body: expect.stringContaining('not taken'),
      });
    expect(await tell(mac, { session: 'fresh', text: 'said to the full: fresh' })).toEqual(refusal);
    expect(await mac.ask('alone', '[[recall]]')).toContain('hello');
    await empty(urls);
    expect(await insist(mac, 'one', '[[recall]]', 20_000)).toContain('hello');
    expect(await late).toContain('at last');
    expect(await insist(box, 'fresh', 'hello', 20_000)).toContain('hello');
    expect(nodes.given().filter((prompt) => prompt.includes('said to the full'))).toEqual([]);
  });
});
