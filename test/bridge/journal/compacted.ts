// Journals that are compacted.
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Compactor, type CompactorOptions } from '../../../src/bridge/journal/compactor.ts';
import type { OpenedJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { openUntilEnd } from './open-until-end.ts';

export const say = (turn: string): SessionEvent => ({ type: 'turn.running', turn });
/** @param sessions how many follow; undefined as a release of before left it */
export const compacted = (origin: number, sessions?: number): SessionEvent => ({
  type: 'bridge.compacted',
  origin,
  codes: [],
  claudes: {},
  panic: null,
  ...(sessions !== undefined && { sessions }),
});

export async function fill({ journal }: OpenedJournal, rows: number): Promise<void> {
  for (let n = 0; n < rows; n += 1) journal.append(`s${n % 3}`, [say(`turn ${journal.last + 1}`)]);
  await journal.durable(journal.last);
}

export function compactor(all: OpenedJournal, options: Partial<CompactorOptions> = {}): ManualClock {
  const clock = new ManualClock();
  const made = new Compactor({
    ...all,
    dir: all.archive,
    clock,
    log: silentLog,
    isQuiet: () => true,
    room: () => Number.POSITIVE_INFINITY,
    snapshot: (origin) => [
      { session: '', events: [compacted(origin, 1)] },
      { session: 's1', events: [say('snapshot')] },
    ],
    most: { rows: 1_000, bytes: 64 * 1024 * 1024 },
    ...options,
  });
  onTestFinished(() => made.close());
  made.start();
  clock.advance(0);
  return clock;
}

/** A journal of 1,203 rows that was compacted, and has gone on for a while. */
export async function compactedOnce(dir: string): Promise<OpenedJournal> {
  const all = openUntilEnd(dir);
  await fill(all, 1_203);
  compactor(all);
  await until('the swap', () => all.journal.origin === 1_203);
  await fill(all, 20);
  return all;
}

/** The journal, with another way to write in one go. */
export const withBetween = (
  { journal }: OpenedJournal,
  between: CompactorOptions['journal']['between'],
): CompactorOptions['journal'] => ({
  get last() {
    return journal.last;
  },
  append: (session, events) => journal.append(session, events),
  between,
});
