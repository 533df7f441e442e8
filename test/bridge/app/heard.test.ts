// How far the hooks of a Claude were heard is in the journal with what they said.
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';

const journal = new MemoryJournal();
const bridge = () =>
  new Dispatcher({ journal, limits: { queued: 3 }, log: silentLog, perform: () => {}, failed: () => {} });

test('the last row of what a hook brought says it, and the next bridge knows it', () => {
  const dispatcher = bridge();
  const heard = (n: number | undefined, of = dispatcher) => expect(of.session('k')?.heard).toBe(n);
  dispatcher.dispatch('k', { type: 'agent.starting', run: 'r' });
  dispatcher.dispatch('k', { type: 'prompt.foreign', turn: 't', prompt: 'p', text: 'typed' }, 1);
  heard(1);
  // Nothing comes of it, so nothing says that it was heard.
  dispatcher.dispatch('k', { type: 'prompt.taken', turn: 't', prompt: 'p' }, 2);
  heard(1);
  dispatcher.dispatch('k', { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: {}, expires_at: 9 });
  dispatcher.dispatch('k', { type: 'turn.rest', prompt: 'p', last: 'done' }, 3);
  heard(3);
  dispatcher.dispatch('k', { type: 'turn.stopped' }, 4);
  const rows = [...journal.read(0)].map(({ event }) => [event.type, event.heard]);
  expect(rows).toEqual([
    ['agent.starting', undefined],
    ['turn.adopted', 1],
    ['permission.asked', undefined],
    ['turn.rested', 3],
    ['answer.repaired', undefined],
    ['permission.settled', undefined],
    ['turn.settled', 4],
  ]);
  const next = bridge();
  next.load();
  expect(next.session('k')).toEqual(dispatcher.session('k'));
  heard(4, next);
});
