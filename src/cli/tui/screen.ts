// The model as rows of text: all of the screen, and nothing but the screen. No terminal is needed to look at it.
import { layout } from './layout.ts';
import type { Model } from './model.ts';
import { overlayPane } from './overlays/sheet.ts';
import { asksPane } from './panes/asks.ts';
import { framesPane } from './panes/frames.ts';
import { promptPane } from './panes/prompt.ts';
import { sessionsPane } from './panes/sessions.ts';
import { statusBar } from './panes/status.ts';
import { titleBar } from './panes/title.ts';
import { transcriptPane } from './panes/transcript.ts';
import { beside, block, type Line } from './text/line.ts';

export interface Screen {
  rows: Line[];
  /** Where text is typed, from the top left. */
  cursor?: { x: number; y: number };
}

export function screen(model: Model): Screen {
  const place = layout(model);
  const { columns, body } = place;
  const { overlay, prompt } = model.ui;
  const above = overlay && !place.wide ? [] : upper(model, columns, place.heights);
  const below = overlay ? overlayPane(model, overlay, place.overlay.height, columns) : lower(model, place);
  const rows = [titleBar(model, columns), ...block([...above, ...below], body, columns)];
  if (!prompt) return { rows: [...rows, statusBar(model, columns)] };
  const typed = promptPane(model, prompt, columns);
  const cursor = { x: typed.cursor.x, y: rows.length + typed.cursor.y };
  return { rows: [...rows, ...typed.lines, statusBar(model, columns)], cursor };
}

const upper = (model: Model, columns: number, heights: { sessions: number; asks: number }): Line[] => [
  ...sessionsPane(model, heights.sessions, columns),
  ...(heights.asks > 0 ? asksPane(model, heights.asks, columns) : []),
];

function lower(model: Model, { wide, heights, widths }: ReturnType<typeof layout>): Line[] {
  if (wide) {
    return beside(
      transcriptPane(model, heights.transcript, widths.transcript),
      framesPane(model, heights.frames, widths.frames),
    );
  }
  return model.ui.main === 'transcript'
    ? transcriptPane(model, heights.transcript, widths.transcript)
    : framesPane(model, heights.frames, widths.frames);
}
