// What lived on a machine that is gone goes on elsewhere, with real nats-servers; and whoever comes back finds that out.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hashId } from '../../../../src/base/digest.ts';
import { Bucket } from '../../../../src/bridge/cluster/bucket.ts';
import type { CopyStore } from '../../../../src/bridge/cluster/copies/copy-store.ts';
import { readCopy } from '../../../../src/bridge/cluster/copies/read-copy.ts';
import { HomeRecord } from '../../../../src/protocol/cluster/cluster-records.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { all, freshStore } from '../support/copies.ts';
import { Heir } from '../support/heir.ts';

let servers: NatsServers;
let connection: NatsConnection;
let count = 0;

beforeAll(async () => {
  servers = await NatsServers.start();
  connection = await connect({ servers: servers.urls, token: natsToken });
});

afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
});

interface Room extends Disposable {
  bucket: Bucket;
  store: CopyStore;
  mac: Heir;
  box: Heir;
  heir(node: string): Heir;
}

async function room(): Promise<Room> {
  count += 1;
  const bucket = await Bucket.open(connection, `takeover-${count}`, 1);
  const store = await freshStore(connection);
  const all: Heir[] = [];
  const heir = (node: string) => {
    const made = new Heir(node, bucket, store);
    all.push(made);
    return made;
  };
  const [mac, box] = [heir('mac'), heir('box')];
  return {
    bucket,
    store,
    heir,
    mac,
    box,
    [Symbol.dispose]: () => {
      for (const each of all) each[Symbol.dispose]();
    },
  };
}

const homeOf = async ({ bucket }: Room, key: string) =>
  (await bucket.get(`own.${hashId(key, 32)}`, HomeRecord))?.value;
const takes = async (heir: Heir, ...gone: string[]) => {
  for (const node of gone) heir.gone.add(node);
  await heir.takeover.look();
};

describe('a conversation whose machine is gone', () => {
  test('goes on on one of the others, with all that was acknowledged and what Claude knows', async () => {
    using machines = await room();
    const { mac, box } = machines;
    const file = mac.fileOf('claude of k');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'what was said\n');
    await mac.send('k', 'a');
    mac.say('k', { type: 'prompt.taken', turn: 'turn a', prompt: 'p' });
    mac.say('k', { type: 'turn.rest', prompt: 'p', last: 'done' });
    mac.say('k', { type: 'turn.stopped' });
    await mac.send('k', 'b');
    mac.say('k', { type: 'prompt.taken', turn: 'turn b', prompt: 'q' });
    await mac.send('k', 'c');
    mac.dies();
    const pi = machines.heir('pi');
    await Promise.all([takes(box, 'mac'), takes(pi, 'mac')]);
    const owner = (await homeOf(machines, 'k'))?.node;
    const [has, hasNot] = owner === 'box' ? [box, pi] : [pi, box];
    expect(has.turns('k')).toEqual({ a: 'settled', b: 'machine_lost', c: 'delivering' });
    expect([has.move('k'), hasNot.turns('k')]).toEqual([undefined, undefined]);
    await until('it is handed over', () => has.effects.includes('deliver'));
    expect(readFileSync(has.fileOf('claude of k'), 'utf8')).toBe('what was said\n');
    expect(await homeOf(machines, 'k')).toMatchObject({ before: ['mac'], takeover: true });
    // It is kept from there on.
    await has.send('k', 'd');
    has.dies();
    await takes(hasNot, owner ?? '');
    expect(Object.keys(hasNot.turns('k') ?? {})).toEqual(['a', 'b', 'c', 'd']);
  });

  test('goes on with whole lines of what Claude knows, also when the last one is half there', async () => {
    using machines = await room();
    const { mac, box } = machines;
    const answered = async (heir: Heir, text: string, ...written: string[]) => {
      const file = heir.fileOf('claude of k');
      mkdirSync(dirname(file), { recursive: true });
      for (const each of written) appendFileSync(file, each);
      await heir.send('k', text);
      heir.say('k', { type: 'prompt.taken', turn: `turn ${text}`, prompt: text });
      heir.say('k', { type: 'turn.rest', prompt: text, last: 'done' });
      await heir.dispatcher.durable(heir.say('k', { type: 'turn.stopped' }), 'k');
    };
    // A line is completed a moment later, unless the machine loses its power.
    await answered(mac, 'a', 'one\n', 'half a li');
    await answered(mac, 'b', 'ne\n', 'tw', '\u{e4}');
    mac.dies();
    await takes(box, 'mac');
    const known = () => readFileSync(box.fileOf('claude of k'), 'utf8');
    expect(known()).toBe('one\nhalf a line\n');
    await answered(box, 'c', 'three\n', 'fo');
    await answered(box, 'd', 'ur\n');
    box.dies();
    const pi = machines.heir('pi');
    await takes(pi, 'box');
    expect(readFileSync(pi.fileOf('claude of k'), 'utf8')).toBe('one\nhalf a line\nthree\nfour\n');
  });

  const note = (heir: Heir, name: string, key = 'k') => join(heir.memoryOf(key), name);
  /** A turn in which Claude Code writes these files, or deletes what is null. */
  async function turnWith(heir: Heir, text: string, files: Record<string, string | null>, key = 'k') {
    await heir.send(key, text);
    heir.say(key, { type: 'prompt.taken', turn: `turn ${text}`, prompt: text });
    mkdirSync(heir.memoryOf(key), { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(files))
      if (content === null) rmSync(note(heir, name, key));
      else writeFileSync(note(heir, name, key), content);
    const file = heir.fileOf(`claude of ${key}`);
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${text}\n`);
    heir.say(key, { type: 'turn.rest', prompt: text, last: 'done' });
    const seq = heir.say(key, { type: 'turn.stopped' });
    await heir.dispatcher.durable(seq, key);
  }

  test('goes on with its files, as they were when its last turn was over', async () => {
    using machines = await room();
    const { mac, box, store } = machines;
    await turnWith(mac, 'a', { 'MEMORY.md': 'one', 'wrong.md': 'wrong' });
    await turnWith(mac, 'b', { 'MEMORY.md': 'two', 'wrong.md': null });
    mac.dies();
    // It lived there long ago.
    mkdirSync(box.memoryOf('k'), { recursive: true, mode: 0o700 });
    writeFileSync(note(box, 'wrong.md'), 'wrong');
    await takes(box, 'mac');
    expect(readdirSync(box.memoryOf('k'))).toEqual(['MEMORY.md']);
    expect(readFileSync(note(box, 'MEMORY.md'), 'utf8')).toBe('two');
    await turnWith(box, 'c', { 'more.md': 'more' });
    const lying = async () =>
      Buffer.concat((await all(store, store.subjectOf('copy', hashId('k', 32)))).map(({ data }) => data));
    expect((await lying()).toString()).toContain(Buffer.from('more').toString('base64'));
    const pi = machines.heir('pi');
    box.dies();
    await takes(pi, 'box');
    expect(readdirSync(pi.memoryOf('k')).sort()).toEqual(['MEMORY.md', 'more.md']);
    const seq = pi.say('k', { type: 'session.remove' });
    await pi.dispatcher.durable(seq, 'k');
    await pi.copies.end('k', () => pi.homes.release('k', true));
    expect((await lying()).length).toBe(0);
  });

  test('whose files are shared leaves those of the other machine alone', async () => {
    using machines = await room();
    const { mac, box, store } = machines;
    await turnWith(mac, 'a', { 'MEMORY.md': 'of all' }, 'shared');
    mac.dies();
    mkdirSync(box.memoryOf('shared'), { recursive: true, mode: 0o700 });
    writeFileSync(note(box, 'own.md', 'shared'), 'own');
    await takes(box, 'mac');
    expect(box.turns('shared')).toEqual({ a: 'settled' });
    expect(readdirSync(box.memoryOf('shared'))).toEqual(['own.md']);
    const lies = (await all(store, store.subjectOf('copy', hashId('shared', 32)))).map(({ data }) => data);
    expect(Buffer.concat(lies).toString()).not.toContain(Buffer.from('of all').toString('base64'));
  });

  test('with a file that belongs elsewhere is taken over by nobody, and writes nothing', async () => {
    using machines = await room();
    const { mac, box, store } = machines;
    await turnWith(mac, 'a', { 'MEMORY.md': 'one' });
    mac.dies();
    const subject = store.subjectOf('copy', hashId('k', 32));
    const last = (await all(store, subject)).at(-1);
    const files = [{ path: 'memory/../../outside.md', data: '' }];
    const entry = Number(last?.header('Synthesis-Entry')) + 1;
    const headers = {
      'Synthesis-Epoch': last?.header('Synthesis-Epoch') ?? '',
      'Synthesis-Entry': String(entry),
      'Synthesis-Part': '1/1',
    };
    const data = Buffer.from(JSON.stringify({ kind: 'happened', events: [], files }));
    await store.publish(subject, { id: 'hostile', headers, data }, last?.seq ?? 0);
    await takes(box, 'mac');
    expect([...box.takeover.refused]).toEqual([['k', expect.stringContaining('cannot be read')]]);
    expect(readdirSync(box.claude)).not.toContain('outside.md');
    expect([box.turns('k'), existsSync(box.memoryOf('k'))]).toEqual([undefined, false]);
  });

  test('stays where nobody is gone, where it is not to be taken over, and where it cannot live', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    await mac.send('local', 'a');
    await mac.homes.claim('local');
    await takes(box, 'pi');
    box.refusal = 'there is no folder';
    await takes(box, 'mac');
    expect([box.turns('k'), (await homeOf(machines, 'k'))?.node]).toEqual([undefined, 'mac']);
    expect([...box.takeover.refused]).toEqual([['k', 'there is no folder']]);
    expect(await box.takeover.settled('k')).toBe(true);
    box.refusal = undefined;
    // What could not go on is not looked for with every record.
    await takes(box, 'mac');
    expect(box.turns('k')).toBe(undefined);
    box.line.clock.advance(30_000);
    await takes(box, 'mac');
    expect([box.turns('k'), box.turns('local')]).toEqual([{ a: 'delivering' }, undefined]);
    expect(await homeOf(machines, 'local')).toMatchObject({ node: 'mac', takeover: false });
  });

  test('is left alone where it is, and where it comes to by another way', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    await mac.takeover.look();
    expect(await mac.takeover.settled('k')).toBe(true);
    await box.takeover.look();
    await box.homes.own('arriving', true);
    await takes(box, 'pi');
    expect((await homeOf(machines, 'arriving'))?.node).toBe('box');
    await mac.send('k', 'b');
  });

  test('that was removed is given up, and leaves nothing', async () => {
    using machines = await room();
    const { mac, box, store } = machines;
    const file = mac.fileOf('claude of k');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'what was said\n');
    await mac.send('k', 'a');
    await mac.send('k', 'b');
    const seq = mac.say('k', { type: 'session.remove' });
    await mac.copies.durable('k', seq);
    mac.dies();
    // Whoever takes it over when this one dies, too.
    const next: unknown[] = [];
    const release = box.homes.release.bind(box.homes);
    box.homes.release = async (key, forget) => {
      next.push(await readCopy(key, store.read(store.subjectOf('copy', hashId('k', 32)))));
      await release(key, forget);
    };
    await takes(box, 'mac');
    expect(next).toEqual([undefined]);
    expect([box.turns('k'), await homeOf(machines, 'k')]).toEqual([undefined, undefined]);
    for (const kind of ['copy', 'file'] as const)
      expect(await all(store, store.subjectOf(kind, hashId('k', 32)))).toEqual([]);
    expect(await box.takeover.settled('k')).toBe(true);
  });

  test('that was taken halfway is taken again, and nothing begins under its name meanwhile', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    mac.dies();
    await box.takeover.look();
    box.line.isUnread = true;
    await takes(box, 'mac');
    expect([box.turns('k'), (await homeOf(machines, 'k'))?.node]).toEqual([undefined, 'box']);
    expect(await box.takeover.settled('k')).toBe(false);
    // It is its own by now: whether the other machine is back does not matter.
    box.gone.clear();
    box.line.isUnread = false;
    await box.takeover.look();
    expect([box.turns('k'), await box.takeover.settled('k')]).toEqual([{ a: 'delivering' }, true]);
  });

  test('that somebody else took, or that is back, keeps nothing from beginning', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    await box.takeover.look();
    const take = box.homes.take.bind(box.homes);
    box.homes.take = () => Promise.reject(new Error('timeout'));
    await takes(box, 'mac');
    expect(await box.takeover.settled('k')).toBe(false);
    box.homes.take = take;
    box.gone.clear();
    await box.takeover.look();
    expect([await box.takeover.settled('k'), box.turns('k')]).toEqual([true, undefined]);
  });
});

describe('a machine whose disk was lost', () => {
  test('has its conversations back, and nothing begins over them before', async () => {
    using machines = await room();
    const { mac } = machines;
    const keys = Array.from({ length: 40 }, (_, n) => `k${n}`);
    for (const key of keys) await mac.send(key, key);
    mac.dies();
    const again = machines.heir('mac');
    // The first messages come before anything was looked for.
    expect(await Promise.all(keys.map((key) => again.takeover.settled(key)))).toEqual(keys.map(() => true));
    expect(keys.map((key) => again.turns(key))).toEqual(keys.map((key) => ({ [key]: 'delivering' })));
  });

  test('begins nothing as long as that cannot be looked for, or done', async () => {
    using machines = await room();
    await machines.mac.send('k', 'a');
    machines.mac.dies();
    const again = machines.heir('mac');
    again.line.isAway = true;
    expect(await again.takeover.settled('k')).toBe(false);
    again.line.isAway = false;
    again.refusal = 'there is no folder';
    expect(await again.takeover.settled('k')).toBe(false);
    expect(again.turns('k')).toBe(undefined);
    again.refusal = undefined;
    await until('it is here', async () => {
      await again.takeover.look();
      return await again.takeover.settled('k');
    });
    expect(again.turns('k')).toEqual({ a: 'delivering' });
  });
});

describe('a machine that comes back', () => {
  const begun = async () => {
    const machines = await room();
    const { mac } = machines;
    await mac.send('k', 'a');
    mac.custody.ended();
    return machines;
  };

  test('goes on with what nobody has taken, once its copy is there', async () => {
    using machines = await begun();
    const { mac } = machines;
    expect([mac.move('k'), mac.turns('k'), mac.copies.has('k')]).toEqual(['held', { a: 'queued' }, false]);
    mac.custody.renewed(20_000);
    await until('it goes on', () => mac.move('k') === undefined);
    expect([mac.turns('k'), mac.copies.has('k')]).toEqual([{ a: 'delivering' }, true]);
    mac.custody.renewed(9);
    expect(mac.leases).toEqual([['k', 9]]);
  });

  test('gives up what another one has, and leaves what that wrote', async () => {
    using machines = await begun();
    const { mac, box, store } = machines;
    await takes(box, 'mac');
    mac.custody.renewed(20_000);
    await until('it is gone', () => mac.turns('k') === undefined);
    expect(box.turns('k')).toEqual({ a: 'delivering' });
    expect((await all(store, store.subjectOf('copy', hashId('k', 32)))).length).toBeGreaterThan(0);
    expect((await homeOf(machines, 'k'))?.node).toBe('box');
  });

  test('goes on with nothing of which the servers do not say that it is here', async () => {
    using machines = await begun();
    const { mac } = machines;
    mac.line.isAway = true;
    mac.custody.renewed(20_000);
    await mac.custody.lost('k');
    expect(mac.move('k')).toBe('held');
    mac.line.isAway = false;
    await mac.custody.lost('k');
    expect(mac.move('k')).toBe(undefined);
  });

  test('ends what it works on when it finds that another one has it', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    mac.say('k', { type: 'prompt.taken', turn: 'turn a', prompt: 'p' });
    await mac.dispatcher.stored('k');
    await takes(box, 'mac');
    await expect(mac.send('k', 'b')).rejects.toThrow('another node');
    await until('it is gone', () => mac.turns('k') === undefined);
    expect(box.turns('k')).toEqual({ a: 'machine_lost' });
    expect(mac.dispatcher.session('k')?.turns.map(({ phase }) => 'code' in phase && phase.code)).toContain(
      'machine_lost',
    );
  });

  test('has what the servers have forgotten', async () => {
    using machines = await begun();
    const { mac, bucket } = machines;
    const home = await bucket.get(`own.${hashId('k', 32)}`, HomeRecord);
    await bucket.delete(`own.${hashId('k', 32)}`, home?.revision ?? 0);
    await mac.custody.lost('k');
    expect([mac.move('k'), await homeOf(machines, 'k')]).toMatchObject([
      undefined,
      { node: 'mac', takeover: true },
    ]);
  });

  test('gives up nothing of which it is known by then that it lives here', async () => {
    using machines = await begun();
    const { mac, box } = machines;
    await takes(box, 'mac');
    const answered = Promise.withResolvers<void>();
    const read = mac.homes.read.bind(mac.homes);
    mac.homes.read = async (key) => {
      await answered.promise;
      return await read(key);
    };
    const lost = mac.custody.lost('k');
    mac.say('k', { type: 'session.house', held: true });
    answered.resolve();
    await lost;
    expect(mac.turns('k')).toEqual({ a: 'queued' });
  });

  test('writes nothing more of what it gave away', async () => {
    using machines = await room();
    const { mac } = machines;
    await mac.send('k', 'a');
    await mac.homes.give('k', 'box');
    await mac.custody.gone('k');
    expect([mac.copies.has('k'), mac.turns('k')]).toEqual([false, undefined]);
  });

  test('holds nothing that only it may have', async () => {
    using machines = await room();
    const { mac } = machines;
    await mac.send('local', 'a');
    mac.custody.ended();
    expect([mac.move('local'), mac.copies.has('local')]).toEqual([undefined, false]);
    const { tried } = mac.line;
    await mac.custody.house('local');
    expect([mac.copies.has('local'), mac.line.tried]).toEqual([false, tried]);
    await mac.send('k', 'a');
    const revision = async () => (await machines.bucket.get(`own.${hashId('k', 32)}`, HomeRecord))?.revision;
    const before = await revision();
    await mac.custody.house('k');
    expect(await revision()).toBe(before);
  });
});

describe('a name that is used again', () => {
  test('is given up by nobody who has not erased what was there', async () => {
    using machines = await room();
    const { mac } = machines;
    await mac.send('k', 'a');
    mac.line.cut = 'there';
    mac.say('k', { type: 'session.remove' });
    const ended = mac.copies.end('k', async () => {});
    let isErased = false;
    const erased = ended.then(() => {
      isErased = true;
    });
    mac.line.clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isErased).toBe(false);
    mac.line.cut = undefined;
    await mac.line.through(erased);
  });

  test('is given up once, also where another owner was faster', async () => {
    using machines = await room();
    const { mac, store } = machines;
    await mac.send('k', 'a');
    mac.line.cut = 'there';
    mac.say('k', { type: 'session.remove' });
    let released = 0;
    const ended = mac.copies.end('k', async () => {
      released += 1;
    });
    const sent = mac.send('k', 'b').catch(() => {});
    const subject = store.subjectOf('copy', hashId('k', 32));
    const later = { id: 'later', headers: { 'Synthesis-Epoch': '1000000' }, data: new Uint8Array() };
    await store.publish(subject, later, (await store.last(subject))?.seq ?? 0);
    mac.line.cut = undefined;
    await mac.line.through(Promise.all([ended, sent]));
    expect(released).toBe(1);
  });

  test('is not given up in silence where that fails, also when it is used again by then', async () => {
    using machines = await room();
    const { mac } = machines;
    await mac.send('k', 'a');
    mac.say('k', { type: 'session.remove' });
    const ended = mac.copies.end('k', async () => {
      mac.copies.begin('k');
      throw new Error('nobody answers');
    });
    await expect(ended).rejects.toThrow('nobody answers');
  });

  test('begins a copy of its own, also while what was removed is still being erased', async () => {
    using machines = await room();
    const { mac, box } = machines;
    await mac.send('k', 'a');
    mac.line.cut = 'there';
    mac.say('k', { type: 'session.remove' });
    const ended = mac.copies.end('k', () => mac.homes.release('k', true));
    const sent = mac.send('k', 'b');
    mac.line.cut = undefined;
    await mac.line.through(Promise.all([ended, sent]));
    expect([mac.copies.has('k'), (await homeOf(machines, 'k'))?.takeover]).toEqual([true, true]);
    mac.dies();
    await takes(box, 'mac');
    expect(box.turns('k')).toEqual({ b: 'delivering' });
  });
});

describe('the home of a conversation', () => {
  test('is owned anew with each owner, and by nobody where it lives elsewhere', async () => {
    using machines = await room();
    const { mac, box } = machines;
    const first = (await mac.homes.own('k', true)) ?? 0;
    expect(await mac.homes.own('k', true)).toBeGreaterThan(first);
    expect(await homeOf(machines, 'k')).toMatchObject({ node: 'mac', takeover: true, before: [] });
    expect(await box.homes.own('k', true)).toBe(undefined);
    expect(await box.homes.of('k')).toEqual({ kind: 'there', node: 'mac' });
    expect(await homeOf(machines, 'k')).toMatchObject({ node: 'mac' });
  });

  test('is owned by whoever has it, however many write it at once', async () => {
    using machines = await room();
    const { mac } = machines;
    const revisions = await Promise.all(Array.from({ length: 5 }, () => mac.homes.own('k', true)));
    expect(new Set(revisions).size).toBe(5);
    expect(revisions).not.toContain(undefined);
  });

  test('is taken by one of those that found it', async () => {
    using machines = await room();
    const { mac, box } = machines;
    const pi = machines.heir('pi');
    await mac.homes.own('k', true);
    const [found] = await box.homes.list();
    if (!found) throw new Error('no home');
    const taken = await Promise.all([box.homes.take(found), pi.homes.take(found)]);
    expect(taken.filter((revision) => revision !== undefined)).toHaveLength(1);
    const home = await homeOf(machines, 'k');
    expect(home).toMatchObject({ before: ['mac'], takeover: true });
    const [has, hasNot] = home?.node === 'box' ? [box, pi] : [pi, box];
    expect(await has.homes.of('k')).toEqual({ kind: 'here' });
    expect(await hasNot.homes.of('k')).toEqual({ kind: 'there', node: home?.node });
    // Its owner before finds that out when it asks, whatever it remembers.
    expect(await mac.homes.read('k')).toBe(home?.node);
    expect(await mac.homes.own('k', true)).toBe(undefined);
  });

  test('that a newer release has written is owned by nobody who cannot read it', async () => {
    using machines = await room();
    const { mac, bucket } = machines;
    await bucket.set(`own.${hashId('k', 32)}`, { version: 2 }, 0);
    await expect(mac.homes.own('k', true)).rejects.toThrow('not known');
  });
});

test('what another node had is known again where it was removed in between', async () => {
  using machines = await room();
  const { mac, box } = machines;
  await mac.send('k', 'a');
  mac.custody.ended();
  await takes(box, 'mac');
  await mac.custody.lost('k');
  box.say('k', { type: 'session.remove' });
  await box.copies.end('k', () => box.homes.release('k', false));
  expect(await mac.homes.of('k')).toEqual({ kind: 'here' });
});
