// What was removed here and lies on the servers still: erased by whichever bridge reaches them, and by nobody twice.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { Bucket } from '../../../../src/bridge/cluster/bucket.ts';
import { OutdatedError } from '../../../../src/bridge/cluster/copies/fenced-subject.ts';
import { Eraser } from '../../../../src/bridge/cluster/takeover/eraser.ts';
import type { Erasure } from '../../../../src/protocol/cluster/erasure.ts';
import { filesWith } from '../../../support/bytes-on-disk.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { freshStore } from '../support/copies.ts';
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

const due = { session: 'k', forget: true };

/** A conversation that lies on the servers, and who is to erase it on the machine that had it. */
async function room() {
  count += 1;
  const text = `removed-text-${count}`;
  const bucket = await Bucket.open(connection, `eraser-${count}`, 1);
  const store = await freshStore(connection);
  const [before, mac, box] = ['mac', 'mac', 'box'].map((node) => new Heir(node, bucket, store)) as [
    Heir,
    Heir,
    Heir,
  ];
  onTestFinished(() => [before, mac, box].forEach((each) => void each[Symbol.dispose]()));
  await before.send('k', text);
  before.dies();
  let saved: readonly Erasure[] = [due];
  let isHere = false;
  const eraser = () =>
    new Eraser({
      file: {
        load: () => [...saved],
        save: (all) => {
          saved = all;
        },
      },
      homes: mac.homes,
      store: async () => store,
      has: () => isHere,
      clock: mac.line.clock,
      log: silentLog,
    });
  return {
    eraser,
    box,
    saved: () => saved,
    isOnServers: () => filesWith([servers.folder], [text]).length > 0,
    home: async () => (await mac.homes.list()).map(({ value }) => value.node),
    /** It begins anew on the machine that had it. */
    begin: () => {
      isHere = true;
    },
  };
}

test('what a bridge before could not erase is erased, and its home given up', async () => {
  const { eraser: make, saved, isOnServers, home } = await room();
  expect([isOnServers(), await home()]).toEqual([true, ['mac']]);
  const eraser = make();
  expect([eraser.has('k'), [...eraser.left]]).toEqual([true, [['k', undefined]]]);
  await eraser.look();
  expect([isOnServers(), await home(), eraser.has('k'), saved()]).toEqual([false, [], false, []]);
});

test('what another node has taken over before is named with that node, until it is removed there', async () => {
  const { eraser: make, box, saved, isOnServers } = await room();
  const [entry] = await box.homes.list();
  if (entry) await box.homes.take(entry);
  const eraser = make();
  await eraser.look();
  expect([[...eraser.left], isOnServers(), saved()]).toEqual([[['k', 'box']], true, [due]]);
  await box.homes.release('k', false);
  await eraser.look();
  expect([[...eraser.left], isOnServers(), saved()]).toEqual([[], false, []]);
});

test('what has begun anew under its name is left to that', async () => {
  const { eraser: make, begin, saved, home } = await room();
  begin();
  const eraser = make();
  await eraser.look();
  expect([[...eraser.left], saved(), await home()]).toEqual([[], [], ['mac']]);
});

test('what is to be erased is on the disk before that begins, and stays there when it fails', async () => {
  const { eraser: make, saved, isOnServers } = await room();
  const eraser = make();
  const other = { session: 'other', forget: false };
  const failed = eraser.removed(other, () => {
    expect(saved()).toEqual([due, other]);
    return Promise.reject(new Error('the nats-servers cannot be reached'));
  });
  await expect(failed).rejects.toThrow('cannot be reached');
  await eraser.over('other');
  expect(saved()).toEqual([due, other]);
  await eraser.removed(other, async () => {});
  expect(saved()).toEqual([due]);
  await expect(eraser.removed(due, () => Promise.reject(new OutdatedError()))).rejects.toThrow(OutdatedError);
  // On the machine that had it: nobody has taken it.
  await eraser.look();
  expect([isOnServers(), saved()]).toEqual([false, []]);
});

test('a list that cannot be read keeps nothing from beginning', async () => {
  const lines: string[] = [];
  const eraser = new Eraser({
    file: {
      load: () => {
        throw new Error('no JSON');
      },
      save: () => {},
    },
    homes: { own: async () => undefined, read: async () => undefined, release: async () => {} },
    store: () => Promise.reject(new Error('nobody asks')),
    has: () => false,
    clock: { now: () => 0, wall: () => 0, after: () => () => {} },
    log: { ...silentLog, error: (line) => lines.push(line) },
  });
  await eraser.look();
  expect([lines, [...eraser.left]]).toEqual([
    ['what is to be erased on the nats-servers cannot be read'],
    [],
  ]);
});
