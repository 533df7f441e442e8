// What is kept besides the journal counts like that: nothing is acknowledged before it is there, too.
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Waits } from '../../../src/base/waiting/waits.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { FillingJournal } from '../../support/filling-journal.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

function room() {
  const journal = new FillingJournal();
  const waits = new Waits();
  const performed: string[] = [];
  const failures: unknown[] = [];
  const elsewhere = {
    isFull: () => false,
    durable: (_: string, seq: number) => waits.durable(seq),
    kept: (_: string, seq: number) => waits.kept(seq),
  };
  const dispatcher = new Dispatcher({
    journal,
    log: silentLog,
    limits: { queued: 3 },
    copies: () => elsewhere,
    perform: (_, { type }) => performed.push(type),
    failed: (error) => failures.push(error),
  });
  const submit = () => {
    const message = { turn: 't', claude: 'c', launch, ingress: 'openai', text: 'hello' } as const;
    const outcome = dispatcher.dispatch('k', { type: 'turn.submit', ...message });
    return outcome.ok ? outcome.seq : 0;
  };
  const giveUp = () => {
    waits.refuse();
    waits.reject(new Error('given up'));
  };
  return { journal, waits, giveUp, performed, failures, elsewhere, dispatcher, submit };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a message is taken, and handed over, when it is in both places', async () => {
  const { waits, performed, dispatcher, submit } = room();
  const seq = submit();
  let isTaken: boolean | undefined;
  const taken = dispatcher.took('k', 't', seq).then((value) => {
    isTaken = value;
  });
  await settle();
  expect([isTaken, performed]).toEqual([undefined, []]);
  waits.release(seq);
  await taken;
  await settle();
  expect([isTaken, performed]).toEqual([true, ['deliver']]);
});

test('one that cannot be kept elsewhere is taken back', async () => {
  const { waits, dispatcher, submit } = room();
  const taken = dispatcher.took('k', 't', submit());
  waits.refuse();
  expect(await taken).toBe(false);
  expect(dispatcher.session('k')?.turns).toEqual([]);
  expect(dispatcher.keeper).toBe('copies');
});

test('one whose conversation may be elsewhere by now is taken back, and is no failure', async () => {
  const { giveUp, dispatcher, submit, elsewhere } = room();
  const taken = dispatcher.took('k', 't', submit());
  giveUp();
  elsewhere.durable = () => Promise.resolve();
  dispatcher.dispatch('k', { type: 'session.hold', node: 'mac', ends: true });
  expect(await taken).toBe(false);
  expect(dispatcher.session('k')?.turns).toEqual([]);
});

test('so is one whose conversation is found elsewhere while the disk takes its time', async () => {
  const { journal, giveUp, dispatcher, submit, elsewhere } = room();
  const disk = Promise.withResolvers<void>();
  journal.written = disk.promise;
  const taken = dispatcher.took('k', 't', submit());
  giveUp();
  elsewhere.durable = () => Promise.resolve();
  dispatcher.dispatch('k', { type: 'session.hold', node: 'mac', ends: true });
  dispatcher.dispatch('k', { type: 'session.remove', keep: true });
  disk.resolve();
  expect(await taken).toBe(false);
});

test('what is given up elsewhere while the disk takes its time is told to whoever waits, and to nobody else', async () => {
  const { journal, giveUp, failures, performed, dispatcher, submit } = room();
  const disk = Promise.withResolvers<void>();
  journal.written = disk.promise;
  const kept = dispatcher.kept(submit(), 'k');
  giveUp();
  // A rejection that nobody has asked for by now ends the program.
  await settle();
  disk.resolve();
  expect(await kept).toBe(false);
  await settle();
  expect([String(failures[0]), performed]).toEqual(['Error: given up', []]);
});

test('what the disk has no room for is told without waiting for the other place', async () => {
  const { journal, giveUp, dispatcher, submit } = room();
  journal.full = true;
  const seq = submit();
  expect(await dispatcher.kept(seq, 'k')).toBe(false);
  giveUp();
  await settle();
});

test('nothing is begun in one that cannot be kept elsewhere', () => {
  const { elsewhere, dispatcher, submit } = room();
  elsewhere.isFull = () => true;
  expect(submit()).toBe(0);
  expect(dispatcher.session('k')).toBe(undefined);
});
