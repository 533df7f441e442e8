// The model as rows of text: all of the screen, and nothing but the screen. No terminal is needed to look at it.
import { type Layout, layout } from '../layout.ts';
import type { Model, Overlay } from '../model/model.ts';
import { overlayPane } from '../overlays/overlay-pane.ts';
import { asksPane } from '../panes/asks.ts';
import { banner } from '../panes/banner.ts';
import { framesPane } from '../panes/frames.ts';
import { promptPane } from '../panes/prompt.ts';
import { sessionsPane } from '../panes/sessions.ts';
import { statusBar } from '../panes/status.ts';
import { titleBar } from '../panes/title.ts';
import { transcriptPane } from '../panes/transcript.ts';
import { type Line, lineText } from '../text/line.ts';

/** Rows over the whole width, or two columns with a rule between them. */
export type Part =
  | { kind: 'rows'; lines: readonly Line[] }
  | { kind: 'columns'; left: readonly Line[]; right: readonly Line[]; widths: readonly [number, number] };

export interface Screen {
  /** From the top down. */
  parts: readonly Part[];
  /** Rows of all parts together. */
  height: number;
  /** Where text is typed, from the top left. */
  cursor?: { x: number; y: number };
}

const rows = (...lines: Line[]): Part => ({ kind: 'rows', lines });

export function screen(model: Model): Screen {
  const place = layout(model);
  const { columns, rows: height, prompt: typing } = place;
  const { prompt } = model.ui;
  const title = rows(titleBar(model, columns), ...banner(model, columns));
  const status = statusBar(model, columns);
  if (!prompt) return { parts: [title, ...body(model, place), rows(status)], height };
  const typed = promptPane(model, prompt, columns);
  const cursor = { x: typed.cursor.x, y: height - 1 - typing + typed.cursor.y };
  return { parts: [title, ...body(model, place), rows(...typed.lines, status)], height, cursor };
}

function body(model: Model, place: Layout): Part[] {
  const { columns, wide, heights } = place;
  const { overlay } = model.ui;
  if (overlay && !wide) return [rows(...sheet(model, overlay, place))];
  const upper = rows(
    ...sessionsPane(model, heights.sessions, columns),
    ...asksPane(model, heights.asks, columns),
  );
  if (overlay && !place.overlay.beside) return [upper, rows(...sheet(model, overlay, place))];
  return [upper, lower(model, place)];
}

const sheet = (model: Model, overlay: Overlay, { overlay: { height, columns } }: Layout): Line[] =>
  overlayPane(model, overlay, height, columns);

function lower(model: Model, place: Layout): Part {
  const { wide, heights, widths } = place;
  const { overlay, main } = model.ui;
  const transcript = () => transcriptPane(model, heights.transcript, widths.transcript);
  const frames = () =>
    overlay ? sheet(model, overlay, place) : framesPane(model, heights.frames, widths.frames);
  if (!wide) return rows(...(main === 'transcript' ? transcript() : frames()));
  return {
    kind: 'columns',
    left: transcript(),
    right: frames(),
    widths: [widths.transcript, widths.frames],
  };
}

/** The screen as plain text, a string per row: what a person reads, for tests and for programs. */
export function screenText(model: Model): string[] {
  return screen(model).parts.flatMap((part) =>
    part.kind === 'rows'
      ? part.lines.map(lineText)
      : part.left.map(
          (line, at) => `${lineText(line)}${at === 0 ? '┬' : '│'}${lineText(part.right[at] ?? [])}`,
        ),
  );
}
