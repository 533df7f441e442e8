// What nodes write for each other, at real nats-servers: the bucket, the homes in it, and who is there.
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../src/base/log.ts';
import { Bucket } from '../../../src/bridge/cluster/bucket.ts';
import { Homes } from '../../../src/bridge/cluster/homes.ts';
import { Members } from '../../../src/bridge/cluster/members.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NatsServers, natsToken } from '../../support/nats.ts';
import { natsTest as test } from '../../support/nats-test.ts';

let servers: NatsServers;
let connection: NatsConnection;
const names = Array.from({ length: 99 }, (_, n) => `cluster-${n}`);

beforeAll(async () => {
  servers = await NatsServers.start();
  connection = await connect({ servers: servers.urls, token: natsToken });
});

afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

const freshName = () => names.pop() ?? '';
const freshBucket = () => Bucket.open(connection, freshName(), 1);
const Form = z.object({ version: z.literal(1), n: z.number() });
const record = (n: number) => ({ version: 1, n });

describe('a bucket', () => {
  test('is written by whoever saw it last, and by nobody else', async () => {
    const bucket = await freshBucket();
    const first = await bucket.set('own.a', record(1), 0);
    expect(await bucket.set('own.a', record(2), 0)).toBe(undefined);
    const second = await bucket.set('own.a', record(3), first ?? 0);
    expect(await bucket.set('own.a', record(4), first ?? 0)).toBe(undefined);
    expect(await bucket.delete('own.a', first ?? 0)).toBe(false);
    expect(await bucket.get('own.a', Form)).toEqual({ value: record(3), revision: second });
    expect(await bucket.delete('own.a', second ?? 0)).toBe(true);
    expect(await bucket.get('own.a', Form)).toBe(undefined);
    expect(await bucket.set('own.a', record(5), 0)).toBeGreaterThan(second ?? 0);
  });

  test('lists what it understands of a prefix, whatever else lies there', async () => {
    const name = freshName();
    const bucket = await Bucket.open(connection, name, 1);
    const raw = await new Kvm(jetstream(connection)).open(name);
    expect(await bucket.list('node.', Form)).toEqual([]);
    await raw.put('node.newer', JSON.stringify({ version: 2, n: 'two' }));
    await raw.put('node.strange', 'no JSON');
    await raw.put('node.empty', '');
    await raw.put('node.gone', JSON.stringify(record(0)));
    await raw.delete('node.gone');
    await raw.put('own.other', JSON.stringify(record(7)));
    const a = await bucket.set('node.a', record(1), 0);
    const b = await bucket.set('node.b', record(2), 0);
    const found = [
      { value: record(1), revision: a },
      { value: record(2), revision: b },
    ];
    expect(await bucket.list('node.', Form)).toEqual(found);
  });

  test('is the same for nodes that want it on more servers', async () => {
    const name = freshName();
    const one = await Bucket.open(connection, name, 1);
    const again = await Bucket.open(connection, name, 3);
    await one.set('own.a', record(1), 0);
    expect((await again.get('own.a', Form))?.value).toEqual(record(1));
  });
});

interface Machine {
  homes: Homes;
  has: Set<string>;
  away(isAway: boolean): void;
}

function machine(node: string, bucket: Bucket, pins: Record<string, string> = {}): Machine {
  const has = new Set<string>();
  let isAway = false;
  const homes = new Homes({
    node,
    bucket: () => (isAway ? undefined : bucket),
    pinOf: (key) => pins[key],
    has: (key) => has.has(key),
    clock: new ManualClock(),
  });
  return {
    homes,
    has,
    away: (now) => {
      isAway = now;
    },
  };
}

const here = { kind: 'here' };
const there = (node: string) => expect.objectContaining({ kind: 'there', node });

describe('homes', () => {
  test('of keys that two nodes claim at once: each has one, and both agree', async () => {
    const bucket = await freshBucket();
    const [mac, box] = [machine('mac', bucket), machine('box', bucket)];
    const keys = Array.from({ length: 200 }, (_, n) => `chat ${n} ü/>*`);
    const seen = await Promise.all(
      keys.map(async (key) => Promise.all([mac.homes.of(key), box.homes.of(key), mac.homes.of(key)])),
    );
    for (const [onMac, onBox, again] of seen) {
      expect([onMac.kind, onBox.kind].sort()).toEqual(['here', 'there']);
      expect(again).toEqual(onMac);
    }
    const fresh = machine('mac', bucket);
    for (const [n, key] of keys.entries()) expect(await fresh.homes.of(key)).toEqual(seen[n]?.[0]);
  });

  test('of a key that is pinned, as long as it is not somewhere already', async () => {
    const bucket = await freshBucket();
    const pins = { pinned: 'box', kept: 'box', elsewhere: 'box' };
    const mac = machine('mac', bucket, pins);
    const box = machine('box', bucket);
    mac.has.add('kept');
    expect(await mac.homes.of('pinned')).toEqual(there('box'));
    expect(await mac.homes.of('kept')).toEqual(here);
    expect(await machine('pi', bucket).homes.of('elsewhere')).toEqual(here);
    expect(await mac.homes.of('elsewhere')).toEqual(there('pi'));
    expect(await box.homes.of('kept')).toEqual(there('mac'));
  });

  test('of a key that was given up: anywhere, and not where somebody remembers it', async () => {
    const bucket = await freshBucket();
    const [mac, box] = [machine('mac', bucket), machine('box', bucket)];
    expect(await mac.homes.of('chat')).toEqual(here);
    expect(await box.homes.of('chat')).toEqual(there('mac'));
    await mac.homes.release('chat', true);
    // What box remembers leads to mac, which does not begin it for another.
    expect((await mac.homes.of('chat', true)).kind).not.toBe('here');
    box.homes.forget('chat');
    expect(await box.homes.of('chat')).toEqual(here);
    expect(await mac.homes.of('chat')).toEqual(there('box'));
    // What somebody else has is not given up.
    await mac.homes.release('chat', true);
    box.homes.forget('chat');
    expect(await box.homes.of('chat')).toEqual(here);
  });

  test('of one that is begun again while it is given up: where it was begun', async () => {
    const bucket = await freshBucket();
    const [mac, box] = [machine('mac', bucket), machine('box', bucket)];
    await mac.homes.of('chat');
    const given = mac.homes.release('chat', true);
    const again = mac.homes.of('chat');
    mac.has.add('chat');
    await given;
    await again;
    expect(await box.homes.of('chat')).toEqual(there('mac'));
  });

  test('that another node asks for are looked up, whatever is remembered', async () => {
    const bucket = await freshBucket();
    const [mac, box] = [machine('mac', bucket), machine('box', bucket)];
    await box.homes.of('chat');
    expect(await mac.homes.of('chat')).toEqual(there('box'));
    await box.homes.release('chat', true);
    await box.homes.settle('chat', 'mac');
    expect(await mac.homes.of('chat', true)).toEqual(here);
  });

  test('without servers: what was here is here, and nobody knows of others', async () => {
    const bucket = await freshBucket();
    const mac = machine('mac', bucket);
    mac.has.add('mine');
    mac.away(true);
    expect(await mac.homes.of('mine')).toEqual(here);
    expect(await mac.homes.of('other')).toEqual({ kind: 'unknown' });
    mac.away(false);
    expect(await mac.homes.of('other')).toEqual(here);
  });

  test('are claimed anew where the servers have forgotten them', async () => {
    const buckets = [await freshBucket(), await freshBucket()] as const;
    let emptied: 0 | 1 = 0;
    const homes = new Homes({
      node: 'mac',
      bucket: () => buckets[emptied],
      pinOf: () => undefined,
      has: () => true,
      clock: new ManualClock(),
    });
    await homes.of('chat');
    emptied = 1;
    await homes.claim('chat');
    expect(await machine('box', buckets[1]).homes.of('chat')).toEqual(there('mac'));
  });

  test('that a newer release has written belong to nobody who cannot read them', async () => {
    const name = freshName();
    const bucket = await Bucket.open(connection, name, 1);
    const mac = machine('mac', bucket);
    await mac.homes.of('chat');
    const raw = await new Kvm(jetstream(connection)).open(name);
    for await (const key of await raw.keys()) await raw.put(key, JSON.stringify({ version: 2 }));
    const box = machine('box', bucket);
    expect(await box.homes.of('chat')).toEqual({ kind: 'unknown' });
    box.has.add('chat');
    expect(await box.homes.of('chat')).toEqual(here);
  });
});

class Member {
  readonly clock = new ManualClock();
  readonly members: Members;
  bucket: Bucket | undefined;
  wasTold = false;
  /** When the records that were written were begun. */
  readonly wrote: number[] = [];

  constructor(node: string, bucket: Bucket, instance = node, leaseSeconds = 30) {
    this.bucket = bucket;
    this.members = new Members({
      node,
      instance,
      about: () => ({
        release: '1',
        started_at: '',
        sessions: 0,
        live: 0,
        free_mb: 1,
        draining: false,
        asking: [],
      }),
      bucket: () => this.bucket,
      taken: () => {
        this.wasTold = true;
      },
      looked: () => {},
      leaseMs: leaseSeconds * 1_000,
      now: () => this.clock.now(),
      wrote: (since) => this.wrote.push(since),
      clock: this.clock,
      log: silentLog,
    });
  }

  /** Beats as time passes. */
  async lives(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      this.clock.advance(1_000);
      await this.members.settled;
    }
  }

  get others(): Record<string, string> {
    const rows = this.members.rows().filter(({ state }) => state !== 'here');
    return Object.fromEntries(rows.map(({ node, state }) => [node, state]));
  }
}

async function members(...names: string[]): Promise<Member[]> {
  const bucket = await freshBucket();
  return names.map((name) => new Member(name, bucket, `${name} ${Math.random()}`));
}

describe('members', () => {
  test('try again soon when a beat got lost, before others call them away', async () => {
    const [mac] = (await members('mac')) as [Member];
    await mac.members.join();
    const { bucket } = mac;
    const lost = await connect({ servers: servers.urls, token: natsToken });
    mac.bucket = await Bucket.open(lost, freshName(), 1);
    await lost.close();
    await mac.lives(3);
    expect([mac.wrote.length, mac.members.reason]).toEqual([1, expect.stringContaining('nats-servers')]);
    mac.bucket = bucket;
    await mac.lives(1);
    expect([mac.wrote.length, mac.members.reason]).toEqual([2, undefined]);
  });

  test('are away when nothing was heard for ten seconds, and there again with the next word', async () => {
    const [mac, box] = (await members('mac', 'box')) as [Member, Member];
    // Ten minutes between their clocks.
    box.clock.advance(600_000);
    await box.members.join();
    await mac.members.join();
    const seen: string[] = [];
    for (let second = 0; second < 15; second += 1) {
      seen.push(mac.others.box ?? 'unknown');
      await mac.lives(1);
    }
    expect(seen.lastIndexOf('alive')).toBeGreaterThanOrEqual(9);
    expect(seen.at(-1)).toBe('away');
    await box.lives(3);
    await mac.lives(3);
    expect([mac.others, box.others]).toEqual([{ box: 'alive' }, { mac: 'alive' }]);
  });

  test('are gone after nine tenths of a lease without a record, neither earlier nor much later', async () => {
    const [mac, box] = (await members('mac', 'box')) as [Member, Member];
    await box.members.join();
    mac.clock.advance(1_700);
    await mac.members.join();
    mac.clock.advance(1_000);
    // As when it comes back to the servers: from then on it looks at other times.
    await mac.members.join();
    const gone: number[] = [];
    for (let ms = 0; ms < 40_000; ms += 100) {
      mac.clock.advance(100);
      await mac.members.settled;
      if (mac.members.gone.has('box')) gone.push(ms + 100);
    }
    expect(gone[0]).toBe(26_000);
    expect(gone).toHaveLength(141);
    expect(mac.wrote.length).toBeLessThan(20);
    await box.lives(3);
    await mac.lives(3);
    expect(mac.members.gone).toEqual(new Set());
  });

  test('are held to their own lease, whatever that of others is', async () => {
    const bucket = await freshBucket();
    const mac = new Member('mac', bucket, 'mac', 300);
    const box = new Member('box', bucket, 'box', 5);
    await box.members.join();
    await mac.members.join();
    await box.lives(60);
    for (let second = 0; second < 60; second += 1) {
      await box.lives(1);
      await mac.lives(1);
      expect([mac.members.gone.size, mac.others]).toEqual([0, { box: 'alive' }]);
    }
    const gone = async (seen: Member) => {
      for (let ms = 100; ; ms += 100) {
        seen.clock.advance(100);
        await seen.members.settled;
        if (seen.members.gone.size > 0) return ms;
      }
    };
    const whenBox = await gone(mac);
    expect([whenBox <= 5_000, whenBox >= 4_000]).toEqual([true, true]);
    const whenMac = await gone(box);
    expect([whenMac <= 275_000, whenMac >= 260_000]).toEqual([true, true]);
    // Servers that are away for a while make nobody gone.
    await Promise.all([mac.lives(2), box.lives(2)]);
    await Promise.all([mac.members.join(), box.members.join()]);
    await mac.members.join();
    expect(mac.members.gone).toEqual(new Set());
    mac.bucket = undefined;
    await mac.lives(20);
    mac.bucket = bucket;
    await mac.members.join();
    expect(mac.members.gone).toEqual(new Set());
  });

  test('have no shorter lease than a configuration may say, whatever their record says', async () => {
    const bucket = await freshBucket();
    const [mac, box] = [new Member('mac', bucket), new Member('box', bucket, 'box', 0.001)];
    await box.members.join();
    await mac.members.join();
    let ms = 0;
    for (; mac.members.gone.size === 0 && ms < 10_000; ms += 100) {
      mac.clock.advance(100);
      await mac.members.settled;
    }
    expect([ms, mac.members.gone]).toEqual([2_700, new Set(['box'])]);
  });

  test('are gone as well when they went in order, and when another one forgot them they are not', async () => {
    const [mac, box] = (await members('mac', 'box')) as [Member, Member];
    await box.members.join();
    await box.members.close();
    await mac.members.join();
    await mac.lives(30);
    expect(mac.members.gone).toEqual(new Set(['box']));
    await mac.members.forget('box');
    expect(mac.members.gone).toEqual(new Set());
  });

  test('are not gone for the time in which nobody could look', async () => {
    const [mac, box] = (await members('mac', 'box')) as [Member, Member];
    const { bucket } = mac;
    await box.members.join();
    await mac.members.join();
    await mac.lives(3);
    mac.bucket = undefined;
    await mac.lives(600);
    mac.bucket = bucket;
    await mac.lives(15);
    expect(mac.members.gone).toEqual(new Set());
    await mac.lives(9);
    expect(mac.members.gone).toEqual(new Set(['box']));
  });

  test('tell when the records that they wrote were begun, and not of the last one', async () => {
    const [mac] = (await members('mac')) as [Member];
    const { bucket } = mac;
    await mac.members.join();
    await mac.lives(3);
    mac.bucket = undefined;
    await mac.lives(3);
    mac.bucket = bucket;
    await mac.lives(3);
    await mac.members.close();
    expect(mac.wrote).toEqual([0, 3_000, 9_000]);
  });

  test('are not away for the time in which nobody could look', async () => {
    const [mac, box] = (await members('mac', 'box')) as [Member, Member];
    const { bucket } = mac;
    await box.members.join();
    await mac.members.join();
    mac.bucket = undefined;
    await mac.lives(60);
    expect(mac.others).toEqual({ box: 'alive' });
    mac.bucket = bucket;
    await mac.lives(6);
    expect(mac.others).toEqual({ box: 'alive' });
    await mac.lives(12);
    expect(mac.others).toEqual({ box: 'away' });
  });

  test('that go in order have stopped, and are there again after a start', async () => {
    const [mac, box, again] = (await members('mac', 'box', 'box')) as [Member, Member, Member];
    await box.members.join();
    await mac.members.join();
    await box.members.close();
    await mac.lives(3);
    expect(mac.others).toEqual({ box: 'stopped' });
    await again.members.join();
    await mac.lives(3);
    expect(mac.others).toEqual({ box: 'alive' });
    expect(again.members.reason).toBe(undefined);
  });

  test('of one name: the later one has it, and the earlier one says so and writes no more', async () => {
    const [first, second] = (await members('mac', 'mac')) as [Member, Member];
    await first.members.join();
    await second.members.join();
    await first.lives(3);
    expect(first.members.reason).toContain('Another bridge runs as node "mac"');
    expect(first.wasTold).toBe(true);
    await second.lives(9);
    await first.lives(9);
    await first.members.close();
    await second.lives(9);
    expect(second.members.reason).toBe(undefined);
    expect(second.wasTold).toBe(false);
  });

  test('whose record is of a newer release have their name back', async () => {
    const name = freshName();
    const bucket = await Bucket.open(connection, name, 1);
    const raw = await new Kvm(jetstream(connection)).open(name);
    await raw.put('node.box', JSON.stringify({ version: 2 }));
    const [mac, box] = [new Member('mac', bucket), new Member('box', bucket)];
    await box.members.join();
    await mac.members.join();
    expect(mac.others).toEqual({ box: 'alive' });
  });
});
