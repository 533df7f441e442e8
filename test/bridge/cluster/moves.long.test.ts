// A conversation lives on one machine, whichever of both dies while it moves, and nothing of it is lost.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect } from 'vitest';
import { hashId } from '../../../src/base/digest.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Bucket } from '../../../src/bridge/cluster/bucket.ts';
import { Leftovers } from '../../../src/bridge/cluster/move/leftovers.ts';
import { ForgetRecord, HomeRecord } from '../../../src/protocol/cluster/cluster-records.ts';
import { NatsServers, natsToken } from '../../support/nats.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { type Death, Machine } from './machine.ts';

let servers: NatsServers;
let bucket: Bucket;
let close = async () => {};

beforeAll(async () => {
  servers = await NatsServers.start();
  const connection = await connect({ servers: servers.urls, token: natsToken });
  close = () => connection.close();
  bucket = await Bucket.open(connection, 'moves', 1);
});
afterAll(async () => {
  await close();
  await servers[Symbol.asyncDispose]();
});

const patient = () => new AbortController().signal;

function both(key: string): { mac: Machine; box: Machine } & Disposable {
  const [mac, box] = [new Machine('mac', bucket), new Machine('box', bucket)];
  mac.other = box;
  box.other = mac;
  mac.talk(key, 'hello');
  return {
    mac,
    box,
    [Symbol.dispose]: () => {
      mac[Symbol.dispose]();
      box[Symbol.dispose]();
    },
  };
}

test('it moves there and back, and is the same', async () => {
  using machines = both('k');
  const { mac, box } = machines;
  await mac.homes.of('k');
  const before = mac.dispatcher.session('k')?.turns;
  await mac.moves.move('k', 'box', 1_000, patient());
  expect([mac.texts('k'), box.texts('k')]).toEqual([undefined, ['hello']]);
  expect(box.dispatcher.session('k')?.turns).toStrictEqual(before);
  box.talk('k', 'again');
  await box.moves.move('k', 'mac', 1_000, patient());
  expect([mac.texts('k'), box.texts('k')]).toEqual([['hello', 'again'], undefined]);
  // What a start folds is where it was.
  for (const each of [mac, box]) each.begin();
  expect([mac.texts('k'), box.texts('k')]).toEqual([['hello', 'again'], undefined]);
});

/** What a machine keeps of a conversation, as files. */
function filesOf(machine: Machine, key: string): Record<string, string> {
  const folder = machine.memoryOf(key);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
function remember(machine: Machine, key: string, files: Record<string, string>): void {
  mkdirSync(machine.memoryOf(key), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(machine.memoryOf(key), name), text);
}

test('its files go with it, and are on one machine', async () => {
  using machines = both('files');
  const { mac, box } = machines;
  await mac.homes.of('files');
  const large = 'x'.repeat(1024 * 1024 + 1);
  remember(mac, 'files', { 'MEMORY.md': 'index', 'a.md': 'a', 'large.md': large });
  // Of a time that is over.
  remember(box, 'files', { 'old.md': 'old' });
  await mac.moves.move('files', 'box', 1_000, patient());
  expect(filesOf(box, 'files')).toEqual({ 'MEMORY.md': 'index', 'a.md': 'a' });
  expect(Object.keys(filesOf(mac, 'files'))).toEqual(['large.md']);
  rmSync(join(box.memoryOf('files'), 'a.md'));
  await box.moves.move('files', 'mac', 1_000, patient());
  expect(filesOf(mac, 'files')).toEqual({ 'MEMORY.md': 'index', 'large.md': large });
  expect(existsSync(box.memoryOf('files'))).toBe(false);
});

test('its files stay where the other machine leaves them, as an earlier release does', async () => {
  using machines = both('earlier');
  const { mac, box } = machines;
  await mac.homes.of('earlier');
  remember(mac, 'earlier', { 'MEMORY.md': 'index' });
  box.isEarlier = true;
  await mac.moves.move('earlier', 'box', 1_000, patient());
  expect([mac.texts('earlier'), box.texts('earlier')]).toEqual([undefined, ['hello']]);
  expect([filesOf(mac, 'earlier'), filesOf(box, 'earlier')]).toEqual([{ 'MEMORY.md': 'index' }, {}]);
});

test('where its files cannot be read, or written, it stays with them', async () => {
  using machines = both('unreadable');
  const { mac, box } = machines;
  await mac.homes.of('unreadable');
  remember(mac, 'unreadable', { 'MEMORY.md': 'index' });
  // Where the folder belongs there is something else.
  mkdirSync(dirname(box.memoryOf('unreadable')), { recursive: true });
  writeFileSync(box.memoryOf('unreadable'), '');
  const move = () => mac.moves.move('unreadable', 'box', 1_000, patient());
  await expect(move()).rejects.toThrow('is not a directory');
  expect([mac.texts('unreadable'), filesOf(mac, 'unreadable')]).toEqual([
    ['hello'],
    { 'MEMORY.md': 'index' },
  ]);
  rmSync(box.memoryOf('unreadable'));
  renameSync(mac.memoryOf('unreadable'), `${mac.memoryOf('unreadable')} aside`);
  symlinkSync(`${mac.memoryOf('unreadable')} aside`, mac.memoryOf('unreadable'));
  await expect(move()).rejects.toThrow('is a symbolic link');
  expect(mac.texts('unreadable')).toEqual(['hello']);
});

const deaths: Record<Death, 'mac' | 'box'> = {
  'before the parcel': 'mac',
  'with the parcel half sent': 'mac',
  'with the parcel kept': 'mac',
  'with the home given': 'box',
};

test.each(Object.entries(deaths))('a machine that dies %s leaves it on %s alone', async (death, home) => {
  const key = `dies ${death}`;
  using machines = both(key);
  const { mac, box } = machines;
  await mac.homes.of(key);
  remember(mac, key, { 'MEMORY.md': 'index' });
  mac.dies = death as Death;
  await expect(mac.moves.move(key, 'box', 1_000, patient())).rejects.toThrow();
  const isHere = ({ node, texts }: { node: string; texts: string[] | undefined }) => [node, texts];
  expect(mac.texts(key)).toBeUndefined();
  // The other machine may look before the one that died is back.
  await box.moves.settle();
  mac.begin();
  for (const each of [mac, box]) await each.moves.settle();
  const found = [mac, box].map((each) => isHere({ node: each.node, texts: each.texts(key) }));
  expect(found).toEqual([mac, box].map(({ node }) => [node, node === home ? ['hello'] : undefined]));
  expect(await mac.homes.read(key)).toBe(home);
  const [there, elsewhere] = home === 'mac' ? [mac, box] : [box, mac];
  expect(filesOf(there, key)).toEqual({ 'MEMORY.md': 'index' });
  there.talk(key, 'on');
  // What failed can be done again, and what is left of it is in nobody's way.
  await there.moves.move(key, elsewhere.node, 1_000, patient());
  expect([elsewhere.texts(key), there.texts(key)]).toEqual([['hello', 'on'], undefined]);
  expect([filesOf(elsewhere, key), filesOf(there, key)]).toEqual([{ 'MEMORY.md': 'index' }, {}]);
});

test('what was written to give it away and comes late changes nothing', async () => {
  using machines = both('late');
  const { mac, box } = machines;
  await mac.homes.of('late');
  const late = await bucket.list('own.', HomeRecord);
  const before = late.find(({ value }) => value.session === 'late');
  mac.dies = 'with the parcel kept';
  await expect(mac.moves.move('late', 'box', 1_000, patient())).rejects.toThrow();
  mac.begin();
  await mac.moves.settle();
  expect(mac.texts('late')).toEqual(['hello']);
  const given = { ...before?.value, node: 'box' };
  expect(await bucket.set(`own.${hashId('late', 32)}`, given, before?.revision ?? 0)).toBeUndefined();
  expect(await box.homes.read('late')).toBe('mac');
});

test('one that is at work is waited for, and stays when that takes too long', async () => {
  using machines = both('busy');
  const { mac, box } = machines;
  await mac.homes.of('busy');
  const submit = { type: 'turn.submit', turn: 't', claude: 'c', ingress: 'openai', text: 'work' } as const;
  const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
  mac.dispatcher.dispatch('busy', { ...submit, launch });
  await expect(mac.moves.move('busy', 'box', 10, patient())).rejects.toMatchObject({ code: 'timeout' });
  expect(mac.texts('busy')).toEqual(['hello', 'work']);
  const moved = mac.moves.move('busy', 'box', 10_000, patient());
  expect(() => mac.moves.move('busy', 'box', 10, patient())).toThrow(/on its way/);
  mac.dispatcher.dispatch('busy', { type: 'turn.expire', turn: 't', code: 'expired' });
  await moved;
  expect([mac.texts('busy'), box.texts('busy')]).toEqual([undefined, ['hello', 'work']]);
});

test('the other machine keeps what has come, however early it looks where that lives', async () => {
  using machines = both('early');
  const { mac, box } = machines;
  mac.beforeGive = () => box.moves.settle();
  await mac.moves.move('early', 'box', 1_000, patient());
  expect([mac.texts('early'), box.texts('early')]).toEqual([undefined, ['hello']]);
});

test('one that turns out to live on a third machine is not given away', async () => {
  using machines = both('third');
  const { mac, box } = machines;
  mac.beforeGive = async () => {
    const [found] = (await bucket.list('own.', HomeRecord)).filter(({ value }) => value.session === 'third');
    await bucket.set(`own.${hashId('third', 32)}`, { ...found?.value, node: 'it' }, found?.revision ?? 0);
  };
  await expect(mac.moves.move('third', 'box', 1_000, patient())).rejects.toThrow(/lives on it/);
  expect(box.texts('third')).toBeUndefined();
  expect(await mac.homes.read('third')).toBe('it');
  await expect(mac.moves.move('third', 'box', 1_000, patient())).rejects.toThrow(/lives on it\.$/);
});

test('one that is removed while it leaves goes nowhere', async () => {
  using machines = both('removed');
  const { mac, box } = machines;
  mac.beforeEnd = () => {
    mac.beforeEnd = () => {};
    mac.dispatcher.dispatch('removed', { type: 'session.remove' });
  };
  await expect(mac.moves.move('removed', 'box', 1_000, patient())).rejects.toThrow(/was removed meanwhile/);
  expect(mac.texts('removed')).toBeUndefined();
  expect(box.dispatcher.session('removed')).toBeUndefined();
});

test('what a move that failed has left on the other machine is forgotten with the conversation', async () => {
  using machines = both('left');
  const { mac, box } = machines;
  await mac.homes.of('left');
  mac.dies = 'with the parcel kept';
  await expect(mac.moves.move('left', 'box', 1_000, patient())).rejects.toThrow();
  mac.begin();
  await mac.moves.settle();
  expect(box.dispatcher.session('left')?.turns).toHaveLength(1);
  let isStuck = true;
  const forget = async (key: string) => {
    if (isStuck) throw new Error('the disk is full');
    await box.desk.discard(key);
  };
  const leftovers = new Leftovers({ node: 'box', forget, log: silentLog });
  expect(await leftovers.look(bucket)).toEqual(new Set());
  await mac.homes.release('left', true);
  expect(await leftovers.look(bucket)).toEqual(new Set(['left']));
  isStuck = false;
  expect(await leftovers.look(bucket)).toEqual(new Set());
  expect(box.dispatcher.session('left')).toMatchObject({ removed: true, forget: true });
  expect(await bucket.list('forget.', ForgetRecord)).toEqual([]);
});

test('one of which it is not known whether it lives here goes nowhere, and stays held', async () => {
  using machines = both('held');
  const { mac } = machines;
  await mac.homes.of('held');
  mac.desk.hold('held', 'mac', false);
  await expect(mac.moves.move('held', 'box', 10, patient())).rejects.toMatchObject({
    code: 'elsewhere',
    message: expect.stringContaining('cannot be found out'),
  });
  expect(mac.desk.onTheWay).toEqual([{ key: 'held', node: 'mac', as: 'held' }]);
});
