// Paths with `*`, `?` and `**`, segment by segment. Greedy with one step back: linear in the longer text for each `*`.

/** @param pattern `*` = any text, `?` = any character */
export function fitsGlob(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (pattern[p] === '*') [star, mark, p] = [p, t, p + 1];
    else if (pattern[p] === '?' || pattern[p] === text[t]) [p, t] = [p + 1, t + 1];
    else if (star >= 0) [mark, p, t] = [mark + 1, star + 1, mark + 1];
    else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

const isGlob = (segment: string): boolean => /[*?]/.test(segment);

/** `inside`: at or below what the rule names. `above`: a folder that may hold it. */
export type Position = 'inside' | 'above' | 'outside';

/** @param rule absolute, with globs @param path absolute, without links where it says one thing; may hold globs */
export function positionOf(rule: string, path: string, globs: boolean): Position {
  return walk(segmentsOf(rule), segmentsOf(path), globs);
}

export const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/** `positionOf`, of paths that are taken apart. */
export function walk(rule: readonly string[], path: readonly string[], globs: boolean): Position {
  const [wanted, ...rest] = rule;
  if (wanted === undefined) return 'inside';
  const [given, ...deeper] = path;
  if (given === undefined) return 'above';
  if (wanted === '**') {
    const here = walk(rest, path, globs);
    return here === 'inside' ? here : walk(rule, deeper, globs);
  }
  // One folder or any number of them, as the shell is set.
  if (globs && given === '**') return walk(rest, deeper, globs) === 'inside' ? 'inside' : 'above';
  return segmentFits(wanted, given, globs) ? walk(rest, deeper, globs) : 'outside';
}

function segmentFits(wanted: string, given: string, globs: boolean): boolean {
  if (!globs || !isGlob(given)) return fitsGlob(wanted, given);
  // Two patterns: that they may mean the same file is enough.
  return isGlob(wanted) || fitsGlob(given, wanted);
}
