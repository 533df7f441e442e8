// The model as rows of text: all of the screen, and nothing but the screen. No terminal is needed to look at it.
import { type Layout, layout } from './layout.ts';
import type { Model } from './model.ts';
import { overlayPane } from './overlays/sheet.ts';
import { asksPane } from './panes/asks.ts';
import { framesPane } from './panes/frames.ts';
import { promptPane } from './panes/prompt.ts';
import { sessionsPane } from './panes/sessions.ts';
import { statusBar } from './panes/status.ts';
import { titleBar } from './panes/title.ts';
import { transcriptPane } from './panes/transcript.ts';
import { type Line, lineText } from './text/line.ts';

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
  const title = rows(titleBar(model, columns));
  const status = statusBar(model, columns);
  if (!prompt) return { parts: [title, ...body(model, place), rows(status)], height };
  const typed = promptPane(model, prompt, columns);
  const cursor = { x: typed.cursor.x, y: height - 1 - typing + typed.cursor.y };
  return { parts: [title, ...body(model, place), rows(...typed.lines, status)], height, cursor };
}

function body(model: Model, place: Layout): Part[] {
  const { columns, wide, overlay: sheet } = place;
  const { overlay } = model.ui;
  if (overlay && !wide) return [rows(...overlayPane(model, overlay, sheet.height, columns))];
  const upper = rows(
    ...sessionsPane(model, place.heights.sessions, columns),
    ...asksPane(model, place.heights.asks, columns),
  );
  return [upper, overlay ? rows(...overlayPane(model, overlay, sheet.height, columns)) : lower(model, place)];
}

function lower(model: Model, { wide, heights, widths }: Layout): Part {
  const transcript = () => transcriptPane(model, heights.transcript, widths.transcript);
  const frames = () => framesPane(model, heights.frames, widths.frames);
  if (wide) {
    return {
      kind: 'columns',
      left: transcript(),
      right: frames(),
      widths: [widths.transcript, widths.frames],
    };
  }
  return rows(...(model.ui.main === 'transcript' ? transcript() : frames()));
}

/** The screen as plain text, a string per row: what a person reads, for tests and for programs. */
export function screenText(model: Model): string[] {
  return screen(model).parts.flatMap((part) =>
    part.kind === 'rows'
      ? part.lines.map(lineText)
      : part.left.map((line, at) => `${lineText(line)}│${lineText(part.right[at] ?? [])}`),
  );
}
