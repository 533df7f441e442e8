// Rows of the journal, many at once: where one after the other leads to, with less on the way.
import { evolve, heardIn } from '../../domain/state/evolve.ts';
import { withTexts } from '../../domain/state/evolve-turn.ts';
import type { Session } from '../../domain/state/session.ts';
import type { JournalRow, SessionEvent } from '../../protocol/events/events.ts';

type Delta = Extract<SessionEvent, { type: 'answer.delta' }>;

/** Where {@link evolve} gets to with one event after the other. Texts of one turn copy its session once. */
export function foldRows(session: Session, rows: readonly Pick<JournalRow, 'event' | 'at'>[]): Session {
  const [first] = rows;
  if (first && rows.length === 1) return evolve(session, first.event, first.at);
  let now = session;
  let texts: Delta[] = [];
  for (const { event, at } of rows) {
    if (event.type === 'answer.delta' && (texts[0]?.turn ?? event.turn) === event.turn) {
      texts.push(event);
      continue;
    }
    now = withAll(now, texts);
    texts = event.type === 'answer.delta' ? [event] : [];
    if (event.type !== 'answer.delta') now = evolve(now, event, at);
  }
  return withAll(now, texts);
}

/** @param texts of one turn */
function withAll(session: Session, texts: readonly Delta[]): Session {
  const [first] = texts;
  return first ? texts.reduce(heardIn, withTexts(session, first.turn, texts)) : session;
}

const longestRun = 128;

/** Rows of one session that follow one another, as many as a page of the journal has. */
export function* inRuns(rows: Iterable<JournalRow>): Generator<[JournalRow, ...JournalRow[]]> {
  let run: [JournalRow, ...JournalRow[]] | undefined;
  for (const row of rows) {
    if (run && run[0].session === row.session && run.length < longestRun) run.push(row);
    else {
      if (run) yield run;
      run = [row];
    }
  }
  if (run) yield run;
}
