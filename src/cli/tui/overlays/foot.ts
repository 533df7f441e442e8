import { type Line, span } from '../text/line.ts';

/** `a allow once   d deny`: keys and what they do. */
export const keyRow = (...pairs: readonly (readonly [key: string, words: string])[]): Line =>
  pairs.flatMap(([key, words], at) => [
    span(at === 0 ? '' : '   '),
    span(key, 'key'),
    span(` ${words}`, 'dim'),
  ]);
