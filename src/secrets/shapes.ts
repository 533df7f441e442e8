// What is known by its shape: a pattern, and what the pattern cannot say.
import type { Place } from './secret.ts';

/**
 * The pattern is global, and linear: no part of it that has no bound can begin again inside of what it has just read.
 * What is secret is its first group, which is the end of the match, or the whole match if there is no group.
 */
export interface Shape {
  readonly kind: string;
  readonly pattern: RegExp;
  /** Whether what has the shape is meant. */
  readonly holds?: (value: string) => boolean;
}

/** Every place of a text that has one of the shapes, shape by shape. */
export function* shaped(text: string, shapes: readonly Shape[]): Generator<Place> {
  for (const { kind, pattern, holds } of shapes)
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? match[0];
      const end = match.index + match[0].length;
      if (holds?.(value) ?? true) yield { start: end - value.length, end, kind };
    }
}
