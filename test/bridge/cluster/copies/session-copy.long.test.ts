// One conversation in the stream of copies: what lies there when, and what whoever waits for that is told.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { AbandonedError, OutdatedError } from '../../../../src/bridge/cluster/copies/fenced-subject.ts';
import { readTranscript, TranscriptCopy } from '../../../../src/bridge/cluster/copies/transcript-copy.ts';
import { NatsServers, natsToken } from '../../../support/nats.ts';
import { natsTest as test } from '../../../support/nats-test.ts';
import { until } from '../../../support/until.ts';
import { all, Copied, freshStore } from '../support/copies.ts';

let servers: NatsServers;
let connection: NatsConnection;
const folder = mkdtempSync(join(tmpdir(), 'copies-'));

beforeAll(async () => {
  servers = await NatsServers.start();
  connection = await connect({ servers: servers.urls, token: natsToken });
});

afterAll(async () => {
  await connection.close();
  await servers[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Whether something is over by now. */
function seen<T>(work: Promise<T>): { value: T | 'waits' | Error } {
  const state: { value: T | 'waits' | Error } = { value: 'waits' };
  work.then(
    (value) => {
      state.value = value;
    },
    (error: Error) => {
      state.value = error;
    },
  );
  return state;
}
const over = { type: 'turn.settled', turn: 't', outcome: 'completed' } as const;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const begun = async (maxBytes?: number) => {
  const room = new Copied(await freshStore(connection, maxBytes));
  return { room, copy: room.begin() };
};

describe('a copy', () => {
  test('begins with all there is, and goes on with what happens', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    expect(await room.read()).toStrictEqual(room.session);
    room.label('a');
    await copy.durable(room.seq);
    expect(await room.read()).toStrictEqual(room.session);
    expect(await room.entries()).toEqual(['owned', '1']);
  });

  test('has one entry on its way at a time: what happens meanwhile goes in the next', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    for (const text of ['a', 'b', 'c']) room.label(text);
    await until('the first is on its way', () => room.line.tried === 2);
    for (const text of ['d', 'e']) room.label(text);
    await copy.durable(room.seq);
    expect(await room.entries()).toEqual(['owned', '3', '2']);
    expect((await room.read())?.label).toBe('e');
  });

  test('is asked for rows of others, too: those wait for nothing that is not its own', async () => {
    const { room, copy } = await begun();
    const first = room.seq;
    for (let n = 0; n < 5; n += 1) room.other();
    await copy.durable(room.seq);
    room.line.cut = 'there';
    room.other();
    await copy.durable(room.seq);
    expect(await copy.kept(room.seq)).toBe(true);
    room.label('a');
    const last = room.seq;
    const [before, after] = [seen(copy.durable(first)), seen(copy.kept(last + 7))];
    room.other();
    await settle();
    expect([before.value, after.value]).toEqual([undefined, 'waits']);
    room.line.cut = undefined;
    await room.line.through(copy.durable(last));
    await settle();
    expect(after.value).toBe(true);
  });

  test('that takes four seconds keeps new work away until it is there', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    room.line.isAway = true;
    room.label('a');
    const [kept, durable] = [seen(copy.kept(room.seq)), seen(copy.durable(room.seq))];
    await until('it is tried', () => room.line.clock.timers > 1);
    room.line.clock.advance(3_999);
    await settle();
    expect([kept.value, durable.value, copy.isStuck]).toEqual(['waits', 'waits', false]);
    room.line.clock.advance(1);
    await settle();
    expect([kept.value, durable.value, copy.isStuck, copy.isFull]).toEqual([false, 'waits', true, false]);
    expect(await copy.kept(room.seq)).toBe(false);
    room.line.isAway = false;
    await room.line.through(copy.durable(room.seq));
    await settle();
    expect([durable.value, copy.isStuck, await copy.kept(room.seq)]).toEqual([undefined, false, true]);
    expect(await room.read()).toStrictEqual(room.session);
  });

  test('that there is no room for says so at once, and goes on when there is', async () => {
    const { room, copy } = await begun(30_000);
    await copy.durable(room.seq);
    const { store } = room.line;
    const [filling, data] = [store.subjectOf('copy', 'filling'), Buffer.alloc(27_000)];
    const seq = (await store.publish(filling, { id: 'filling', headers: {}, data }, 0)) ?? 0;
    room.label('x'.repeat(5_000));
    const kept = seen(copy.kept(room.seq));
    await until('it is refused', () => kept.value !== 'waits');
    expect([kept.value, copy.isStuck, copy.isFull]).toEqual([false, true, true]);
    await store.erase(filling, seq + 1);
    await room.line.through(copy.durable(room.seq));
    expect([copy.isStuck, copy.isFull]).toEqual([false, false]);
  });

  test('that waits with more than a megabyte is written anew', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    room.line.isAway = true;
    room.label('a');
    await until('it is tried', () => room.line.clock.timers > 1);
    for (let n = 0; n < 12; n += 1) room.label(`${n}`.padEnd(100_000));
    const { tried } = room.line;
    room.line.isAway = false;
    await room.line.through(copy.durable(room.seq));
    expect(await room.read()).toStrictEqual(room.session);
    // One message that was on its way, and one of all there is.
    expect([await room.entries(), room.line.tried - tried]).toEqual([['owned'], 2]);
  });

  test('is written anew after two hundred entries, and what that replaces is forgotten', async () => {
    const { room, copy } = await begun();
    for (let n = 0; n <= 201; n += 1) {
      await copy.durable(room.seq);
      room.label(`${n}`);
    }
    room.label('last');
    await copy.durable(room.seq);
    const isShort = async () => (await room.lying).length < 10;
    await until('what that replaces to be erased', isShort);
    expect((await room.entries())[0]).toBe('owned');
    expect(await room.read()).toStrictEqual(room.session);
  });

  test('is written anew after a quarter of a million characters', async () => {
    const { room, copy } = await begun();
    for (let n = 0; n < 4; n += 1) {
      await copy.durable(room.seq);
      room.label(`${n}`.padEnd(100_000));
    }
    await copy.durable(room.seq);
    room.label('small');
    await copy.durable(room.seq);
    const lying = (await room.lying).reduce((bytes, { data }) => bytes + data.length, 0);
    expect(lying).toBeLessThan(250_000);
    expect(await room.read()).toStrictEqual(room.session);
  });

  test('that finds no room lets nothing come of what was refused, and goes on with the rest', async () => {
    const { room, copy } = await begun(100_000);
    await copy.durable(room.seq);
    const other = room.line.store.subjectOf('file', 'other');
    await room.line.store.publish(other, { id: 'o', headers: {}, data: Buffer.alloc(80_000) }, 0);
    room.label('x'.repeat(50_000));
    const goesOn = copy.durable(room.seq);
    room.label('a message');
    const message = room.seq;
    const [kept, comesOfIt] = [copy.kept(message), seen(copy.durable(message))];
    expect(await kept).toBe(false);
    await goesOn;
    expect([copy.isStuck, copy.isFull]).toEqual([true, true]);
    room.label('under way');
    await copy.durable(room.seq);
    expect(await copy.kept(room.seq)).toBe(true);
    expect(await copy.kept(message)).toBe(false);
    await settle();
    expect(comesOfIt.value).toBe('waits');
    await room.line.store.erase(other, Number.POSITIVE_INFINITY);
    await room.line.through(copy.durable(message));
    expect([copy.isStuck, copy.isFull]).toEqual([false, false]);
    await until('all of it to be there', async () => (await room.read())?.label === 'under way');
  });

  test('of which there is more is written anew more seldom', async () => {
    const room = new Copied(await freshStore(connection));
    room.label('x'.repeat(200_000));
    const copy = room.begin();
    for (let n = 0; n < 5; n += 1) {
      await copy.durable(room.seq);
      room.label(`${n}`.padEnd(100_000));
    }
    await copy.durable(room.seq);
    expect(await room.lying).toHaveLength(6);
  });

  test('that another node has is lost, and whoever waits is told', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    const later = new Copied(room.line.store, 2);
    await later.begin().durable(later.seq);
    room.label('late');
    const [durable, kept] = [seen(copy.durable(room.seq)), seen(copy.kept(room.seq))];
    await until('it is lost', () => room.isLost);
    expect([durable.value, kept.value]).toEqual([expect.any(OutdatedError), false]);
    await expect(copy.durable(room.seq)).rejects.toThrow(OutdatedError);
    expect(await copy.kept(room.seq)).toBe(false);
    expect(await later.read()).toStrictEqual(later.session);
  });

  test('is of its owner alone, who is asked for until that is known', async () => {
    const room = new Copied(await freshStore(connection));
    room.epoch = new Error('nobody answers');
    const copy = room.begin();
    const durable = copy.durable(room.seq);
    await until('it is tried', () => room.line.clock.timers > 1);
    room.epoch = 3;
    await room.line.through(durable);
    const elsewhere = new Copied(room.line.store);
    elsewhere.epoch = undefined;
    await expect(elsewhere.begin().durable(elsewhere.seq)).rejects.toThrow(OutdatedError);
    expect(elsewhere.isLost).toBe(true);
  });

  test('that is given up tells whoever waits, and is not lost', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    room.line.isAway = true;
    room.label('a');
    const durable = seen(copy.durable(room.seq));
    await until('it is tried', () => room.line.clock.timers > 1);
    copy.close();
    await settle();
    expect(durable.value).toBeInstanceOf(AbandonedError);
    room.line.isAway = false;
    room.line.clock.advance(10_000);
    await settle();
    room.label('b');
    expect([room.isLost, copy.isStuck, await room.entries()]).toEqual([false, false, ['owned']]);
  });

  test('that is given up before it has an owner asks no more', async () => {
    const room = new Copied(await freshStore(connection));
    room.epoch = new Error('nobody answers');
    const copy = room.begin();
    await until('it is tried', () => room.line.clock.timers > 1);
    copy.close();
    room.epoch = 3;
    room.line.clock.advance(500);
    await expect(copy.durable(room.seq)).rejects.toThrow(AbandonedError);
    await settle();
    expect(await room.lying).toEqual([]);
  });
});

describe('a conversation that is removed', () => {
  test('leaves nothing', async () => {
    const { room, copy } = await begun();
    room.transcript = join(folder, 'removed.jsonl');
    writeFileSync(room.transcript, '{}\n');
    await copy.durable(room.seq);
    room.say({ type: 'session.remove' });
    await copy.erase(async () => {});
    const { store } = room.line;
    expect(await room.lying).toEqual([]);
    expect(await all(store, store.subjectOf('file', 'digest'))).toEqual([]);
    room.happen({ type: 'session.labelled', label: 'x' });
    await expect(copy.durable(room.seq)).rejects.toThrow(AbandonedError);
  });

  test('is read as removed until then', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    await until('what was there before is erased', () => room.line.swept > 0);
    const written = Promise.withResolvers<void>();
    room.line.beforePublish = () => written.promise;
    const reads: unknown[] = [];
    room.line.beforeDelete = async () => void reads.push(await room.read());
    room.say({ type: 'session.remove' });
    const erased = copy.erase(async () => {
      room.line.beforeDelete = async () => {};
      reads.push(await room.read(), await room.lying);
    });
    for (let n = 0; n < 5; n += 1) await room.lying;
    expect(reads).toEqual([]);
    written.resolve();
    await erased;
    expect(reads).toEqual([undefined, undefined, undefined, undefined, [expect.anything()]]);
  });

  test('leaves what a later owner wrote under its name', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    const later = new Copied(room.line.store, 2);
    room.line.beforeDelete = async () => {
      room.line.beforeDelete = async () => {};
      await later.begin().durable(later.seq);
    };
    room.say({ type: 'session.remove' });
    await copy.erase(async () => {}).catch(() => {});
    expect(await later.read()).toStrictEqual(later.session);
  });
});

describe("Claude Code's transcript", () => {
  const path = (name: string) => join(folder, `${name}.jsonl`);
  test('is there before a turn is told to be over, and grows by what is new', async () => {
    const { room, copy } = await begun();
    room.transcript = path('grows');
    writeFileSync(room.transcript, 'a\n');
    await copy.durable(room.seq);
    expect(await room.readFile()).toBe('a\n');
    appendFileSync(room.transcript, 'b\n'.repeat(100_000));
    room.label('nothing is over');
    await copy.durable(room.seq);
    expect(await room.readFile()).toBe('a\n');
    const files: string[] = [];
    room.line.beforePublish = async () => void files.push(await room.readFile());
    room.happen(over);
    await copy.durable(room.seq);
    expect(files.at(-1)).toBe(`a\n${'b\n'.repeat(100_000)}`);
    const { store } = room.line;
    const pieces = await all(store, store.subjectOf('file', 'digest'));
    expect(pieces.map(({ data }) => data.length)).toEqual([0, 2, 131_072, 68_928]);
  });

  test('is there before a turn is told to be over that ends while all is written anew', async () => {
    const { room, copy } = await begun();
    room.transcript = path('meanwhile');
    writeFileSync(room.transcript, 'a\n');
    const begins = room.seq;
    room.line.beforePublish = async () => {
      room.line.beforePublish = async () => {};
      appendFileSync(room.transcript ?? '', 'b\n');
      room.happen(over);
    };
    await until('it is over', () => room.seq > begins);
    await copy.durable(room.seq);
    expect(await room.readFile()).toBe('a\nb\n');
    expect((await room.read())?.turns[0]?.phase.name).toBe('settled');
  });

  test('goes on where the owner before was, also where that wrote late', async () => {
    const store = await freshStore(connection);
    const [first, second] = [new Copied(store, 1), new Copied(store, 2)];
    for (const each of [first, second]) {
      each.transcript = path(`of ${each.epoch}`);
      writeFileSync(each.transcript, 'a\n');
    }
    const left = first.begin();
    await left.durable(first.seq);
    appendFileSync(second.transcript ?? '', 'b\n');
    await second.begin().durable(second.seq);
    const sizes = async () =>
      (await all(store, store.subjectOf('file', 'digest'))).map(({ data }) => data.length);
    expect(await sizes()).toEqual([0, 2, 0, 2]);
    expect(await second.readFile()).toBe('a\nb\n');
    appendFileSync(first.transcript ?? '', 'late\n');
    first.happen(over);
    await expect(left.durable(first.seq)).rejects.toThrow(OutdatedError);
    expect(await second.readFile()).toBe('a\nb\n');
  });

  test('of a later owner keeps what an earlier one has to say from being acknowledged', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    room.transcript = path('outdated');
    writeFileSync(room.transcript, 'a\n');
    // It begins with its transcript.
    await room.line.owner(2, 'later', 'file').append(new Uint8Array());
    room.happen(over);
    await expect(copy.durable(room.seq)).rejects.toThrow(OutdatedError);
    expect(await room.entries()).toEqual(['owned']);
  });

  test.each([
    ['of another session of Claude Code', 'd', 'longer than what was long before\n'],
    ['that is shorter than what is there', 'c', 'n\n'],
  ])('%s is there from its beginning, and nothing else', async (_, claude, text) => {
    const room = new Copied(await freshStore(connection));
    const file = path(`anew of ${claude}`);
    writeFileSync(file, 'long before\n');
    const copy = new TranscriptCopy(room.line.owner(1), () => file);
    await copy.ship('c');
    writeFileSync(file, text);
    await copy.ship(claude);
    appendFileSync(file, 'more\n');
    await copy.ship(claude);
    const pieces = await room.lying;
    expect(pieces.map((piece) => piece.header('Synthesis-Claude'))).toEqual(pieces.map(() => claude));
    expect(Buffer.concat(pieces.map(({ data }) => data)).toString()).toBe(`${text}more\n`);
    expect(pieces.map((piece) => piece.header('Synthesis-Offset'))).toEqual(['0', '0', `${text.length}`]);
  });

  test('that is written anew counts once it is whole: whoever dies on the way leaves what was there before', async () => {
    const room = new Copied(await freshStore(connection));
    const file = path('dies');
    const [before, after] = ['x'.repeat(400_000), 'y'.repeat(300_000)];
    writeFileSync(file, before);
    const read = async () => {
      let text = Buffer.alloc(0);
      const { store } = room.line;
      for await (const { offset, data } of readTranscript(store.read(store.subjectOf('copy', 'digest')), 'c'))
        text = Buffer.concat([text.subarray(0, offset), data]);
      return text.toString();
    };
    await new TranscriptCopy(room.line.owner(1), () => file).ship('c');
    writeFileSync(file, after);
    const dies = room.line.owner(2);
    // The mark, and two pieces of three.
    let published = 0;
    room.line.beforePublish = async () => {
      published += 1;
      if (published === 4) dies.close();
      if (published >= 4) throw new Error('the machine died');
    };
    const shipped = new TranscriptCopy(dies, () => file).ship('c');
    await expect(room.line.through(shipped)).rejects.toThrow(AbandonedError);
    expect((await read()) === before).toBe(true);
    room.line.beforePublish = async () => {};
    const next = new TranscriptCopy(room.line.owner(3), () => file);
    await next.ship('c');
    expect((await read()) === after).toBe(true);
    appendFileSync(file, 'more');
    await next.ship('c');
    expect((await read()) === `${after}more`).toBe(true);
    expect((await room.lying).reduce((sum, { data }) => sum + data.length, 0)).toBe(300_004);
  });

  test('that is cut off while it is read ends there', async () => {
    const room = new Copied(await freshStore(connection));
    const file = path('cut');
    writeFileSync(file, 'a\n');
    room.line.beforePublish = async () => writeFileSync(file, '');
    await new TranscriptCopy(room.line.owner(1), () => file).ship('c');
    expect((await room.lying).map(({ data }) => data.length)).toEqual([0]);
  });

  test('that cannot be read keeps nothing else back', async () => {
    const { room, copy } = await begun();
    room.transcript = folder;
    await copy.durable(room.seq);
    room.transcript = path('of nobody');
    room.happen(over);
    await copy.durable(room.seq);
    expect(await room.read()).toStrictEqual(room.session);
  });
});

describe('files of a conversation', () => {
  const note = (text: string) => [{ path: 'memory/a.md', data: Buffer.from(text).toString('base64') }];
  const withFiles = async (text: string) => {
    const room = new Copied(await freshStore(connection));
    room.files = () => note(text);
    const copy = room.begin();
    await copy.durable(room.seq);
    return { room, copy };
  };
  const lying = async (room: Copied) =>
    (await room.lying).map(({ data }) => JSON.parse(Buffer.from(data).toString()).files);

  test('are there before a turn is told to be over, and written once', async () => {
    const { room, copy } = await withFiles('one');
    expect((await room.kept())?.files).toEqual(note('one'));
    room.label('a');
    await copy.durable(room.seq);
    room.files = () => note('two');
    room.label('b');
    await copy.durable(room.seq);
    expect((await room.kept())?.files).toEqual(note('one'));
    for (let n = 0; n < 2; n += 1) {
      room.happen(over);
      await copy.durable(room.seq);
      expect((await room.kept())?.files).toEqual(note('two'));
    }
    expect(await lying(room)).toEqual([note('one'), undefined, undefined, note('two'), undefined]);
    room.files = () => [];
    room.happen(over);
    await copy.durable(room.seq);
    expect((await room.kept())?.files).toEqual([]);
  });

  test('that Claude Code writes a moment after its turn follow', async () => {
    const { room, copy } = await withFiles('one');
    room.happen(over);
    await copy.durable(room.seq);
    room.files = () => note('late');
    await until('they are there', async () => {
      room.line.clock.advance(2_000);
      return JSON.stringify((await room.kept())?.files) === JSON.stringify(note('late'));
    });
    expect(await room.read()).toStrictEqual(room.session);
  });

  test('are there as well where all of it is written anew', async () => {
    const { room, copy } = await withFiles('one');
    room.label('x'.repeat(600_000));
    await copy.durable(room.seq);
    room.label('a');
    await copy.durable(room.seq);
    await until('all is written anew', async () => (await room.entries())[0] === 'owned');
    expect((await room.kept())?.files).toEqual(note('one'));
  });

  test('that cannot be read keep nothing else back, and are there once they can be', async () => {
    const { room, copy } = await withFiles('one');
    room.files = () => {
      throw new Error('EIO');
    };
    room.happen(over);
    await copy.durable(room.seq);
    expect((await room.kept())?.files).toEqual(note('one'));
    room.files = () => note('two');
    room.happen(over);
    await copy.durable(room.seq);
    expect((await room.kept())?.files).toEqual(note('two'));
  });

  test('that are shared are nowhere', async () => {
    const { room, copy } = await begun();
    await copy.durable(room.seq);
    room.happen(over);
    await copy.durable(room.seq);
    expect([await lying(room), (await room.kept())?.files]).toEqual([[undefined, undefined], undefined]);
  });

  test('are of any size that may go', async () => {
    const room = new Copied(await freshStore(connection));
    const all = note('x'.repeat(1024 * 1024));
    room.files = () => all;
    await room.begin().durable(room.seq);
    expect((await room.kept())?.files?.[0]?.data === all[0]?.data).toBe(true);
    expect((await room.lying).length).toBeGreaterThan(1);
  });
});
