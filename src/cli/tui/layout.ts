// Where things are, from the size of the terminal alone and how much there is to show.
import type { Model, Pane } from './model/model.ts';
import { sessionRows, waitingAsks } from './model/rows.ts';
import { hasBanner } from './panes/banner.ts';
import { promptRows } from './panes/prompt.ts';

export interface Layout {
  columns: number;
  /** Rows that may be drawn: one less than the terminal has, so that Ink never scrolls it. */
  rows: number;
  /** Between the title and the bottom rows. */
  body: number;
  prompt: number;
  /** Transcript and frames stand next to each other. */
  wide: boolean;
  /** Height of each pane, its title row included; 0 = not there. */
  heights: Record<Pane, number>;
  /** Width of each pane. */
  widths: Record<Pane, number>;
  /** What lies over the panes: all of a small screen; `beside` the transcript on a wide one, where the frames are. */
  overlay: { height: number; columns: number; beside: boolean };
}

/** From here on two panes fit side by side. */
const wideColumns = 140;
const wideRows = 20;
/** Most questions listed at once. */
const listedAsks = 4;

/** Most of the room that the sessions take: they are read in one pane, and looked for in the other. */
const listShare = 0.42;
const focusedShare = 0.6;

export function layout(model: Model): Layout {
  const columns = Math.max(20, model.size.columns);
  const rows = Math.max(4, model.size.rows - 1);
  const banner = hasBanner(model) ? 1 : 0;
  const prompt = Math.min(promptRows(model, columns), rows - 2 - banner);
  const body = rows - 2 - banner - prompt;
  const { zoom, focus } = model.ui;
  const wide = !zoom && columns >= wideColumns && rows >= wideRows;
  const asks = asksHeight(waitingAsks(model).length, body);
  const share = Math.floor((body - asks) * (model.ui.focus === 'sessions' ? focusedShare : listShare));
  const sessions = Math.min(body - asks, Math.max(3, Math.min(sessionRows(model).length + 2, share)));
  const main = body - asks - sessions;
  const left = wide ? Math.floor((columns - 1) * 0.54) : columns;
  const right = wide ? columns - 1 - left : columns;
  const beside = wide && model.ui.overlay?.name !== 'help';
  const shown = (pane: 'transcript' | 'frames') => (wide || model.ui.main === pane ? main : 0);
  return {
    columns,
    rows,
    body,
    prompt,
    wide,
    heights: zoom
      ? { sessions: 0, asks: 0, transcript: 0, frames: 0, [focus]: body }
      : { sessions, asks, transcript: shown('transcript'), frames: shown('frames') },
    widths: { sessions: columns, asks: columns, transcript: left, frames: right },
    overlay: wide
      ? { height: main, columns: beside ? right : columns, beside }
      : { height: body, columns, beside: false },
  };
}

/** Its title and a few rows; a very low terminal has none to spare. */
function asksHeight(waiting: number, body: number): number {
  if (waiting === 0 || body < 8) return 0;
  return 1 + Math.min(listedAsks, waiting, Math.floor(body / 6) + 1);
}
