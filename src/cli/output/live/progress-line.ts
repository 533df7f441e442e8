// How far something is, in one row.
import { clip, width } from '../../text/width.ts';

export interface Progress {
  done: number;
  total: number;
  /** What is counted: `notes`. */
  of: string;
  /** Milliseconds until the end, null while nobody can tell. */
  leftMs: number | null;
}

/** Cells of the bar: more say nothing more, fewer say nothing. */
const widestBar = 30;
const narrowestBar = 4;

/** `1,200 of 10,000 notes  [████░░░░]  12 s left`, in less than `columns` cells. */
export function progressLine({ done, total, of, leftMs }: Progress, columns: number): string {
  const head = `${countText(done)} of ${countText(total)} ${of}`;
  const tail = leftMs === null ? '' : `  ${timeText(leftMs)} left`;
  // The last cell stays free: some terminals begin a new row behind it.
  const room = columns - 1;
  const bar = Math.min(widestBar, room - width(head) - width(tail) - 4);
  if (bar >= narrowestBar) return `${head}  [${barText(done, total, bar)}]${tail}`;
  if (width(head) + width(tail) <= room) return head + tail;
  return clip(head, Math.max(0, room));
}

/** `12,345` */
export const countText = (count: number): string => count.toLocaleString('en-US');

/** `0.4 s`, `12 s`, `3 min` */
export function timeText(ms: number): string {
  if (ms >= 99_500) return `${Math.round(ms / 60_000)} min`;
  return `${ms < 9_950 ? Number((ms / 1_000).toFixed(1)) : Math.round(ms / 1_000)} s`;
}

function barText(done: number, total: number, cells: number): string {
  const full = total === 0 ? 0 : Math.floor((Math.min(done, total) / total) * cells);
  return '█'.repeat(full) + '░'.repeat(cells - full);
}
