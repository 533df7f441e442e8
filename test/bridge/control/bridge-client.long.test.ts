// The long-lived client against a real socket that goes away and comes back.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BridgeClient, type Link } from '../../../src/cli/client/bridge-client.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { until } from '../../support/until.ts';
import { SmallControl } from './small-control.ts';

let control: SmallControl;
let client: BridgeClient;

beforeEach(async () => {
  control = await SmallControl.start();
  client = new BridgeClient({ state: control.dir });
});

afterEach(async () => {
  client.close();
  await control[Symbol.asyncDispose]();
});

const seqs = (rows: readonly JournalRow[]) => rows.map(({ seq }) => seq);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('rows come in order, stored ones first, and none is missing or doubled across two restarts', async () => {
  control.say('a', 'one');
  const rows: JournalRow[] = [];
  client.subscribe({ from: 0 }, { row: (row) => rows.push(row) });
  client.open();
  await until('the stored rows', () => rows.length > 0 && rows.length === control.journal.last);
  control.say('a', 'two');
  await until('the live rows', () => rows.length === control.journal.last);
  for (const text of ['three', 'four']) {
    await control.hangUp();
    control.say('b', text);
    await control.listen();
    await until(`the rows of ${text}`, () => rows.length === control.journal.last);
  }
  expect(seqs(rows)).toEqual(upTo(control.journal.last));
});

test('the link says what it is, and a call without one fails at once in words', async () => {
  const links: Link['name'][] = [];
  client.onLink(({ name }) => links.push(name));
  await expect(client.call('session.list', {})).rejects.toMatchObject({ code: 'not_running' });
  client.open();
  await until('the link', () => client.link.name === 'live');
  expect(await client.call('session.list', {})).toEqual([]);
  const waiting = client.call('session.send', { session: 's', text: 'x', create: true, follow: true });
  control.bridge.agent.onPrompt = () => {};
  const refused = expect(waiting).rejects.toMatchObject({ code: 'hung_up' });
  await control.hangUp();
  await refused;
  await until('the loss', () => client.link.name === 'lost');
  await control.listen();
  await until('the way back', () => client.link.name === 'live');
  expect(links.slice(0, 2)).toEqual(['live', 'lost']);
});

test('a subscription begins at a time, and keeps to its session and its kinds of events', async () => {
  control.say('a', 'early');
  await until(
    'the end of the turn',
    () => control.bridge.dispatcher.session('a')?.turns[0]?.phase.name === 'settled',
  );
  await until('another millisecond', () => Date.now() > ([...control.journal.read(0)].at(-1)?.at ?? 0) + 1);
  const since = Date.now();
  control.say('a', 'late');
  control.say('b', 'other');
  const rows: JournalRow[] = [];
  const live = Promise.withResolvers<number>();
  client.subscribe(
    { since, session: 'a', types: ['turn.*', 'answer.delta'] },
    { row: (row) => rows.push(row), live: live.resolve },
  );
  client.open();
  await live.promise;
  await until('the end', () => rows.some(({ event }) => event.type === 'turn.settled'));
  expect(new Set(rows.map(({ session }) => session))).toEqual(new Set(['a']));
  expect(rows.map(({ event }) => event.type)).toEqual([
    'turn.queued',
    'turn.delivering',
    'turn.running',
    'answer.delta',
    'turn.settled',
  ]);
});

test('without a place it begins now: nothing old comes', async () => {
  control.say('a', 'old');
  const before = control.journal.last;
  const rows: JournalRow[] = [];
  const live = Promise.withResolvers<number>();
  client.subscribe({}, { row: (row) => rows.push(row), live: live.resolve });
  client.open();
  await live.promise;
  control.say('a', 'new');
  await until('the new rows', () => rows.length > 0);
  expect(rows[0]?.seq).toBeGreaterThan(before);
});

test('a journal that ends before the cursor is read anew, after a word about it', async () => {
  control.say('a', 'one');
  const rows: JournalRow[] = [];
  let resets = 0;
  client.subscribe({ from: 1_000_000 }, { row: (row) => rows.push(row), reset: () => (resets += 1) });
  client.open();
  await until('the rows', () => rows.length === control.journal.last);
  expect([resets, rows[0]?.seq]).toEqual([1, 1]);
});

test('a subscription to a session that does not exist fails once, and is not tried again', async () => {
  const failed = Promise.withResolvers<string>();
  client.subscribe({ session: 'nobody' }, { row: () => {}, failed: ({ code }) => failed.resolve(code) });
  client.open();
  expect(await failed.promise).toBe('no_such_session');
});

test('a subscription that was ended gets nothing more, and the others go on', async () => {
  const [first, second]: JournalRow[][] = [[], []];
  const end = client.subscribe({ from: 0 }, { row: (row) => first?.push(row) });
  client.subscribe({ from: 0 }, { row: (row) => second?.push(row) });
  client.open();
  await until('the link', () => client.link.name === 'live');
  control.say('a', 'one');
  await until('rows at both', () => first?.length && second?.length);
  end();
  const had = first?.length;
  control.say('a', 'two');
  await until('rows at the second', () => second?.length === control.journal.last);
  expect(first?.length).toBe(had);
});
