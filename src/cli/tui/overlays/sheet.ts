import type { Line } from '../text/line.ts';

/** What lies over the panes: a title, lines that scroll, and a row of keys that stays. */
export interface Sheet {
  title: Line;
  lines: readonly Line[];
  foot: Line;
}
