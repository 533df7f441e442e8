import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { ReportIntake } from '../../../src/bridge/app/report-intake.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import type { PanicRecord } from '../../../src/protocol/panic.ts';
import { FillingJournal } from '../../support/filling-journal.ts';
import { queued, ready, running } from '../../support/turn-events.ts';

const panic = { since: 1, by: 'cli' } as PanicRecord;
interface Stopped {
  panic: PanicRecord | undefined;
}

/** A desk whose journal says that. */
function desk(events: SessionEvent[], stopped: Stopped = { panic: undefined }) {
  const journal = new FillingJournal();
  const performed: string[] = [];
  journal.append('k', [{ type: 'agent.starting', run: 'r1' }, ready, ...events]);
  const dispatcher = new Dispatcher({
    journal,
    log: silentLog,
    limits: { queued: 3 },
    panic: () => stopped.panic,
    perform: (_, { type }) => performed.push(type),
    failed: (error) => expect.unreachable(String(error)),
  });
  dispatcher.load();
  const start = journal.last;
  const { take } = new ReportIntake(dispatcher, silentLog);
  const since = () => [...journal.read(start)].map(({ event }) => event);
  return { take, since, performed, stored: () => dispatcher.stored('k') };
}

const twoRun = [queued('t1'), running('t1'), queued('t2'), running('t2')];

test('what cannot be true is journalled with what was reported last, and Claude Code is started afresh', async () => {
  const { take, since, performed, stored } = desk([...twoRun, queued('t3')]);
  take('k', { type: 'task.begin', task: 'a1', kind: 'agent', title: 'private words', hook: 7 });
  const events = since();
  expect(events.find(({ type }) => type === 'session.broken')).toEqual({
    type: 'session.broken',
    rule: 'two turns run, t1 and t2',
    reports: ['task.begin task=a1 hook=7'],
  });
  expect(events.filter(({ type }) => type === 'turn.settled')).toMatchObject([
    { turn: 't1', code: 'lost_track' },
    { turn: 't2', code: 'lost_track' },
  ]);
  await stored();
  expect(performed).toEqual(expect.arrayContaining(['stop', 'deliver']));
});

test('it is said once: while Claude Code ends nothing more is', () => {
  const { take, since } = desk(twoRun);
  for (const hook of [1, 2, 3]) take('k', { type: 'task.begin', task: `a${hook}`, kind: 'agent', hook });
  expect(since().filter(({ type }) => type === 'session.broken')).toHaveLength(1);
});

test('the newest fifty reports are kept, and no text', () => {
  const stopped: Stopped = { panic };
  const { take, since } = desk(twoRun, stopped);
  for (let hook = 0; hook < 60; hook += 1) take('k', { type: 'tasks.listed', tasks: [], hook });
  take('k', { type: 'message.delta', message: 'm', index: 0, text: 'private words', final: true });
  // While everything is stopped, nothing of this is a fault.
  expect(since().some(({ type }) => type === 'session.broken')).toBe(false);
  stopped.panic = undefined;
  take('k', { type: 'task.begin', task: 'a1', kind: 'agent', title: 'private words', hook: 99 });
  const broken = since().find((event) => event.type === 'session.broken');
  const reports = broken?.type === 'session.broken' ? broken.reports : [];
  expect(reports).toHaveLength(50);
  expect([reports[0], reports.at(-1)]).toEqual(['tasks.listed hook=11', 'task.begin task=a1 hook=99']);
});

test('those of a Claude Code that has ended are let go', () => {
  const stopped: Stopped = { panic };
  const { take, since } = desk([queued('t0'), running('t0'), ...twoRun], stopped);
  take('k', { type: 'tasks.listed', tasks: [], hook: 1 });
  take('k', { type: 'agent.exited', detail: 'it ended' });
  stopped.panic = undefined;
  take('k', { type: 'tasks.listed', tasks: [], hook: 2 });
  const broken = since().find((event) => event.type === 'session.broken');
  expect(broken).toMatchObject({ reports: ['tasks.listed hook=2'] });
});
