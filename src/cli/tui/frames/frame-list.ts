// The frames that pass the reader's filters.
import { passes } from '../model/filter.ts';
import type { Frame, FramesUi, Model } from '../model/model.ts';
import { kindOf } from './frame-kind.ts';

const texts = new WeakMap<Frame, string>();

/** What the search looks through: the whole frame, not the part that a row shows. */
function textOf(row: Frame): string {
  const known = texts.get(row) ?? `${row.node ?? ''} ${row.session} ${JSON.stringify(row.event)}`;
  texts.set(row, known);
  return known;
}

interface Question {
  frames: readonly Frame[];
  ui: FramesUi;
  filter: string;
  session: string | undefined;
}

let last: { asked: Question; answer: readonly Frame[] } | undefined;

/** Oldest first. A screen asks several times for the same list, so the last answer is kept. */
export function shownFrames({ frames, ui }: Model): readonly Frame[] {
  const session = ui.frames.only ? ui.session : undefined;
  const { frames: filter = '' } = ui.filters;
  const same =
    last?.asked.frames === frames &&
    last.asked.ui === ui.frames &&
    last.asked.filter === filter &&
    last.asked.session === session;
  if (!same || !last) {
    const asked = { frames, ui: ui.frames, filter, session };
    last = { asked, answer: filtered(asked) };
  }
  return last.answer;
}

function filtered({ frames, ui, filter, session }: Question): readonly Frame[] {
  const { hidden, pausedAt } = ui;
  if (hidden.size === 0 && filter === '' && pausedAt === undefined && session === undefined) return frames;
  return frames.filter(
    (row) =>
      (pausedAt === undefined || row.n <= pausedAt) &&
      (session === undefined || row.session === session) &&
      !hidden.has(kindOf(row.event)) &&
      passes(filter, () => textOf(row)),
  );
}

/** Index of the frame under the cursor; the newest while the stream is followed. */
export function frameAt(frames: readonly Frame[], at: number | undefined): number {
  if (at === undefined) return frames.length - 1;
  const found = frames.findLastIndex(({ n }) => n === at);
  // One that is not shown any more: what came before it.
  return Math.max(0, found < 0 ? frames.findLastIndex(({ n }) => n < at) : found);
}
