// A note's sections: a heading, or several with nothing between them, and what is below.
import { headingOf, Trail } from './headings.ts';
import { kinds } from './line-kinds.ts';

export interface Section {
  /** Its first line, from 0. */
  readonly from: number;
  /** The line behind its last one. */
  readonly to: number;
  /** `Title › Section › Sub` */
  readonly trail: string;
}

/** All of a note, in order, without gaps. A heading with nothing below it begins the section that follows. */
export function* sectionsOf(lines: readonly string[], all: Uint8Array, first: number): Generator<Section> {
  const trail = new Trail();
  let from = first;
  let words = '';
  let hasBody = false;
  for (let at = first; at < lines.length; at += 1) {
    const kind = all[at];
    if (kind === kinds.heading) {
      if (hasBody) {
        yield { from, to: at, trail: words };
        from = at;
        hasBody = false;
      }
      trail.add(headingOf(lines[at] ?? '', lines[at + 1]));
      words = trail.toString();
    } else if (kind === kinds.text || kind === kinds.code) hasBody = true;
  }
  if (from < lines.length) yield { from, to: lines.length, trail: words };
}
