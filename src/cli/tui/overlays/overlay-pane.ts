import { never } from '../../../base/never.ts';
import type { Model, Overlay } from '../model/model.ts';
import { rule } from '../panes/rule.ts';
import { blank, block, type Line, span } from '../text/line.ts';
import { clampTop } from '../text/scroll.ts';
import { askSheet } from './ask.ts';
import { diffSheet } from './diff.ts';
import { frameSheet } from './frame.ts';
import { helpSheet } from './help.ts';
import { infoSheet } from './info.ts';
import { kindsSheet } from './kinds.ts';
import type { Sheet } from './sheet.ts';

export function sheetOf(model: Model, overlay: Overlay, cells: number): Sheet {
  switch (overlay.name) {
    case 'help':
      return helpSheet(overlay.groups, cells);
    case 'frame':
      return frameSheet(model, overlay.n, cells);
    case 'ask':
      return askSheet(model, overlay, cells);
    case 'diff':
      return diffSheet(model, overlay.code, cells);
    case 'info':
      return infoSheet(model, overlay.session, cells);
    case 'kinds':
      return kindsSheet(model, overlay.at);
    default:
      return never(overlay);
  }
}

/** Rows for the scrolling part. */
export const sheetRoom = (height: number): number => Math.max(1, height - 2);

export function overlayPane(model: Model, overlay: Overlay, height: number, cells: number): Line[] {
  const { title, lines, foot } = sheetOf(model, overlay, cells);
  const room = sheetRoom(height);
  const top = 'top' in overlay ? clampTop(overlay.top, lines.length, room) : 0;
  const below = lines.length - top - room;
  const note =
    below > 0 ? [span(`${below} more line${below === 1 ? '' : 's'} `, 'warn'), span('↓', 'key')] : [];
  const shown = lines.slice(top, top + room).map((each): Line => [span(' '), ...each]);
  const keys: Line = [span(' '), ...foot];
  // The keys stand where the eye is: below a short text, at the end of a long one.
  const short = lines.length + 1 < room;
  const body = block(
    [rule(title, note, true, cells), ...shown, ...(short ? [blank, keys] : [])],
    height - 1,
    cells,
  );
  return block([...body, short ? blank : keys], height, cells);
}
