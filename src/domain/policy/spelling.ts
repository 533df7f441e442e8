// One path in the pieces that a call spells it with.
import { fileUrlPath } from './file-url.ts';
import { withoutProc } from './open-files.ts';
import type { Place } from './place.ts';
import type { Piece } from './shell-word.ts';

/** One path as a call spells it. */
export interface Spelling {
  /** Absolute, with its `..` in it: whether they go back from a link or from where it leads depends on who reads it. */
  path: string | undefined;
  /** Else only what it begins with is known, if anything. */
  known: boolean;
  /** `path` holds patterns. */
  globs: boolean;
}

/** Nobody can tell which one. */
export const nowhere: Spelling = { path: undefined, known: false, globs: false };

/** Segments of a path beyond which it is asked about. */
const mostSegments = 200;

/** @param base where a relative path starts; undefined where that is not known */
export function spelled(pieces: readonly Piece[], place: Place, base: string | undefined): Spelling {
  let text = '';
  let globs = false;
  for (const piece of pieces) {
    if (piece.kind === 'unknown' || (piece.kind === 'cwd' && place.cwd === undefined))
      return {
        path: text.startsWith('/') ? text.slice(0, text.lastIndexOf('/') + 1) : undefined,
        known: false,
        globs,
      };
    if (piece.kind === 'home') text += place.home;
    else if (piece.kind === 'cwd') text += place.cwd;
    else text += piece.value;
    globs ||= piece.kind === 'glob';
  }
  const named = fileUrlPath(text);
  if (!named.startsWith('/') && base === undefined) return nowhere;
  if (named.split('/').length > mostSegments) return nowhere;
  return { ...withoutProc(named.startsWith('/') ? named : `${base}/${named}`, base), globs };
}
