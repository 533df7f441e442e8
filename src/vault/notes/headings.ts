// Headings, and the trail of them that leads to a place.
import { most } from './bounds.ts';
import { atx } from './line-kinds.ts';
import { oneLine } from './one-line.ts';

export interface Heading {
  /** From 1. */
  readonly level: number;
  readonly text: string;
}

/** @param below the line below it, which says its level if it has no `#` */
export function headingOf(line: string, below: string | undefined): Heading {
  const signs = atx.exec(line)?.[1];
  if (signs === undefined)
    return { level: below?.trimStart().startsWith('=') ? 1 : 2, text: oneLine(line, most.heading) };
  // Bounded before anything that reads it again from each of its blanks.
  const rest = oneLine(line.trimStart().slice(signs.length), most.heading);
  return { level: signs.length, text: rest.replace(/(?:^| )#{1,300}$/, '') };
}

/** The headings that are above a place: one of a level ends all of that level and below. */
export class Trail {
  #headings: readonly Heading[] = [];

  add(heading: Heading): void {
    this.#headings = [...this.#headings.filter(({ level }) => level < heading.level), heading];
  }

  /** `Title › Section › Sub` */
  toString(): string {
    return this.#headings
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(' › ');
  }
}
