// The stream of copies, and how its subjects are written: whoever became the owner later is not written over.
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { CopyFullError, CopyStore } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import {
  AbandonedError,
  epochOf,
  type FencedSubject,
  OutdatedError,
} from '../../../../src/bridge/cluster/copies/fenced-subject.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { all, freshStore, Line } from '../support/copies.ts';

let servers: NatsServers;
let connection: NatsConnection;

beforeAll(async () => {
  servers = await NatsServers.start();
  connection = await connect({ servers: servers.urls, token: natsToken });
});

afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

const bytes = (text: string) => Buffer.from(text);
/** As an owner writes all there is, and has no use for what was there before. */
const replace = async (owner: FencedSubject, entry: Uint8Array) =>
  owner.forgetOlder(await owner.append(entry));
const message = (id: string, size = 1) => ({ id, headers: {}, data: Buffer.alloc(size, 'x') });
const texts = async (store: CopyStore) =>
  (await all(store, store.subjectOf('copy', 'digest'))).map(({ data }) => Buffer.from(data).toString());

describe('the stream', () => {
  test('is made once, and has the size that was asked for last', async () => {
    const size = async () => (await manager.streams.info('COPY_sized')).config.max_bytes;
    const manager = await jetstreamManager(connection);
    const first = await CopyStore.open(connection, 'sized', { replicas: 1, maxBytes: 8_000_000 });
    await first.publish(first.subjectOf('copy', 'a'), message('1'), 0);
    // Of which nodes use eight ninths.
    expect(await size()).toBe(9_000_000);
    const other = await CopyStore.open(connection, 'sized', { replicas: 1, maxBytes: 16_000_000 });
    expect(await size()).toBe(18_000_000);
    expect(await all(other, other.subjectOf('copy', 'a'))).toHaveLength(1);
  });

  test('is none where the servers take only small messages', async () => {
    await using small = await NatsServers.start(1, 'max_payload: 65536');
    await using client = await connect({ servers: small.urls, token: natsToken });
    const open = CopyStore.open(client, 'small', { replicas: 1, maxBytes: 1_000_000 });
    await expect(open).rejects.toThrow(
      '65536 bytes at most, and cluster.takeover needs 262144: raise max_payload',
    );
  });

  test('throws nothing away for what there is no room for, and takes it once there is', async () => {
    const store = await freshStore(connection, 100_000);
    const [a, b] = [store.subjectOf('copy', 'a'), store.subjectOf('file', 'b')];
    const first = (await store.publish(a, message('1', 60_000), 0)) ?? 0;
    await expect(store.publish(b, message('2', 60_000), 0)).rejects.toThrow(CopyFullError);
    expect(await all(store, a)).toHaveLength(1);
    await store.erase(a, first + 1);
    const taken = await until('room', () => store.publish(b, message('2', 60_000), 0).catch(() => undefined));
    expect(taken).toBeGreaterThan(first);
  });

  test('throws nothing away for the last bits of room that there are', async () => {
    const store = await freshStore(connection, 100_000);
    const manager = await jetstreamManager(connection);
    const a = store.subjectOf('copy', 'a');
    const name = await manager.streams.find(a);
    let last = (await store.publish(a, message('large', 97_000), 0)) ?? 0;
    let count = 1;
    const fill = async (size: number) => {
      for (;;) {
        last = (await store.publish(a, message(`${count}`, size), last)) ?? 0;
        count += 1;
      }
    };
    for (let size = 100; size >= 0; size -= 10) await expect(fill(size)).rejects.toThrow(CopyFullError);
    expect((await manager.streams.info(name)).state).toMatchObject({ messages: count, first_seq: 1 });
  });

  test('takes no more at once than there is room for', async () => {
    const store = await freshStore(connection, 100_000);
    const all = Array.from({ length: 20 }, (_, n) =>
      store.publish(store.subjectOf('copy', `${n}`), message('1', 10_000), 0),
    );
    const ends = await Promise.allSettled(all);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
  });

  test('refuses what is not behind the last message of its subject, whatever lies on others', async () => {
    const store = await freshStore(connection);
    const [a, b] = [store.subjectOf('copy', 'a'), store.subjectOf('copy', 'b')];
    const first = await store.publish(a, message('1'), 0);
    await store.publish(b, message('2'), 0);
    expect(await store.publish(a, message('3'), 0)).toBe(undefined);
    const last = await store.publish(a, message('4'), first ?? 0);
    expect((await all(store, a)).map(({ id, seq }) => [id, seq])).toEqual([
      ['1', first],
      ['4', last],
    ]);
    expect(await store.last(store.subjectOf('copy', 'none'))).toBe(undefined);
  });

  test('is deleted up to a message, and not beyond, even if that is the first of all', async () => {
    const store = await freshStore(connection);
    const a = store.subjectOf('copy', 'a');
    const first = (await store.publish(a, message('1'), 0)) ?? 0;
    expect(first).toBe(1);
    await store.erase(a, first);
    expect(await all(store, a)).toHaveLength(1);
    await store.publish(a, message('2'), first);
    await store.erase(a, first + 1);
    expect((await all(store, a)).map(({ id }) => id)).toEqual(['2']);
    await store.erase(a, Number.POSITIVE_INFINITY);
    expect(await all(store, a)).toEqual([]);
  });

  test('is deleted by several at once', async () => {
    const store = await freshStore(connection);
    const [a, b] = [store.subjectOf('copy', 'a'), store.subjectOf('copy', 'b')];
    let last = 0;
    for (let n = 0; n < 20; n += 1) last = (await store.publish(a, message(`${n}`), last)) ?? 0;
    await store.publish(b, message('b'), 0);
    await Promise.all(Array.from({ length: 4 }, () => store.erase(a, last)));
    expect((await all(store, a)).map(({ id }) => id)).toEqual(['19']);
    expect(await all(store, b)).toHaveLength(1);
  });
});

describe('an owner', () => {
  test('writes an entry of any size in parts, one after the other', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    const entry = Buffer.from(Array.from({ length: 2_200_000 }, (_, n) => n % 251));
    const first = await owner.append(entry, { 'X-More': 'y' });
    await owner.append(new Uint8Array());
    const copies = await all(line.store, line.store.subjectOf('copy', 'digest'));
    expect(copies.map((copy) => copy.header('Synthesis-Part'))).toEqual(['1/3', '2/3', '3/3', '1/1']);
    expect(copies.map((copy) => copy.header('X-More'))).toEqual(['y', 'y', 'y', '']);
    expect(copies[0]?.seq).toBe(first);
    expect(Buffer.concat(copies.map(({ data }) => data))).toEqual(entry);
  });

  test('is refused once a later one has written, whatever it tries', async () => {
    const line = new Line(await freshStore(connection));
    const [earlier, later] = [line.owner(1), line.owner(2)];
    await earlier.append(bytes('a'));
    await later.append(bytes('b'));
    await expect(earlier.append(bytes('c'))).rejects.toThrow(OutdatedError);
    await expect(earlier.newest()).rejects.toThrow(OutdatedError);
    await expect(earlier.forgetAll()).rejects.toThrow(OutdatedError);
    await expect(line.owner(1, 'new').append(bytes('d'))).rejects.toThrow(OutdatedError);
    expect(await texts(line.store)).toEqual(['a', 'b']);
  });

  test('is not stopped by what an earlier one writes late', async () => {
    const line = new Line(await freshStore(connection));
    const [earlier, later] = [line.owner(1), line.owner(2)];
    await earlier.append(bytes('a'));
    expect((await later.newest())?.id).toBe('owner 1-1');
    await earlier.append(bytes('late'));
    await later.append(bytes('b'));
    await expect(earlier.append(bytes('c'))).rejects.toThrow(OutdatedError);
    expect(await texts(line.store)).toEqual(['a', 'late', 'b']);
  });

  test('whose answer was lost has written once, and goes on behind that', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    await owner.append(bytes('a'));
    line.cut = 'back';
    const written = owner.append(bytes('b'));
    await until('it failed', () => owner.failed.length > 0);
    line.cut = undefined;
    await line.through(written);
    await owner.append(bytes('c'));
    expect(await texts(line.store)).toEqual(['a', 'b', 'c']);
  });

  test('knows its own message, even where the servers have forgotten that they know it', async () => {
    const manager = await jetstreamManager(connection);
    const streams = { name: 'COPY_short', subjects: ['short.copy.*', 'short.file.*'], max_bytes: 1_000_000 };
    await manager.streams.add({ ...streams, duplicate_window: 100_000_000 });
    const store = await CopyStore.open(connection, 'short', { replicas: 1, maxBytes: 1_000_000 });
    const line = new Line(store);
    const owner = line.owner(1);
    await owner.newest();
    line.cut = 'back';
    const written = owner.append(bytes('a'));
    // Nothing waits any more but for time to pass.
    await until('it failed', () => owner.failed.length > 0);
    line.cut = undefined;
    const probe = store.subjectOf('file', 'probe');
    let last = await store.publish(probe, message('probe'), 0);
    const first = last;
    await until('what came after it is forgotten', async () => {
      last = await store.publish(probe, message('probe'), first ?? 0);
      return last !== first;
    });
    await line.through(written);
    expect(await texts(store)).toEqual(['a']);
  });

  test('waits for servers that cannot be reached, and tells why', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    line.isAway = true;
    const written = owner.append(bytes('a'));
    await until('it failed', () => owner.failed.length > 0);
    expect(String(owner.failed[0])).toContain('cannot be reached');
    line.isAway = false;
    await line.through(written);
    expect(await texts(line.store)).toEqual(['a']);
  });

  test('that is given up writes nothing, also what it had begun', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    line.cut = 'there';
    const written = owner.append(bytes('a'));
    const refused = expect(written).rejects.toThrow(AbandonedError);
    await until('it failed', () => owner.failed.length > 0);
    owner.close();
    line.cut = undefined;
    line.clock.advance(500);
    await refused;
    await expect(owner.append(bytes('b'))).rejects.toThrow(AbandonedError);
    expect(await texts(line.store)).toEqual([]);
  });

  test.for([1, 1_200_000])('that writes all there is in %d bytes leaves nothing before it', async (size) => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    const [b, d] = ['b', 'd'].map((text) => text.repeat(size)) as [string, string];
    await line.owner(0).append(bytes('of an owner before'));
    for (const text of ['a', b]) await owner.append(bytes(text));
    await replace(owner, bytes(d));
    expect((await texts(line.store)).join('') === d).toBe(true);
    await replace(owner, bytes('c'));
    expect(await texts(line.store)).toEqual(['c']);
    await replace(owner, bytes(d));
    expect((await texts(line.store)).join('') === d).toBe(true);
    // Where the servers do not answer, it stays.
    line.beforeDelete = () => Promise.reject(new Error('timeout'));
    await replace(owner, bytes(d));
    expect((await texts(line.store)).join('').length).toBe(2 * size);
    // Until the next time.
    line.beforeDelete = async () => {};
    await replace(owner, bytes(b));
    expect((await texts(line.store)).join('') === b).toBe(true);
  });

  test('remembers nothing of what it has replaced', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    for (const text of ['a', 'b', 'c']) {
      await owner.append(bytes(text));
      await replace(owner, bytes(text));
    }
    line.erased = 0;
    await replace(owner, Buffer.alloc(1_200_000));
    expect(line.erased).toBe(1);
  });

  test('forgets what lies before a message', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    const seqs: number[] = [];
    for (const text of ['a', 'b', 'c']) seqs.push(await owner.append(bytes(text)));
    await owner.forgetOlder(seqs[1] ?? 0);
    expect(await texts(line.store)).toEqual(['b', 'c']);
    line.cut = 'there';
    await owner.forgetOlder(seqs[2] ?? 0);
  });

  test('that forgets all keeps its last message until its home is given up', async () => {
    const line = new Line(await freshStore(connection));
    const owner = line.owner(1);
    for (const text of ['a', 'b', 'c']) await owner.append(bytes(text));
    let before: string[] = [];
    await owner.forgetAll(async () => {
      before = await texts(line.store);
    });
    expect([before, await texts(line.store)]).toEqual([['c'], []]);
  });

  test.for([0, 1, 2])(
    'that forgets all, %d messages, leaves what a later one writes meanwhile',
    async (messages) => {
      const line = new Line(await freshStore(connection));
      const [earlier, later] = [line.owner(1), line.owner(2)];
      for (let n = 0; n < messages; n += 1) await earlier.append(bytes(`${n}`));
      line.beforeDelete = () => {
        line.beforeDelete = async () => {};
        return later.append(bytes('b'));
      };
      await earlier.forgetAll();
      const copies = await all(line.store, line.store.subjectOf('copy', 'digest'));
      expect(copies.map(epochOf)).toEqual([2]);
    },
  );
});
