// Names under which Linux lists what a process has open: `/proc/self/cwd/x` is a file in its working folder.
import { fitsGlob } from './match/glob.ts';

export interface Opened {
  /** Undefined when nobody can tell which file it is. */
  path: string | undefined;
  known: boolean;
}

/**
 * The path without such names; as it is where it has none.
 * @param path absolute, as it is spelled
 * @param base the working folder of whoever opens it; undefined where that is not known
 */
export function withoutProc(path: string, base: string | undefined): Opened {
  if (!mayBeProc(path)) return { path, known: true };
  const rest = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  let segments: string[] = [];
  let changed = false;
  for (const [index, segment] of rest.entries()) {
    // A `..` goes back from where such a link leads, which is what an open does.
    if (segment === '..') segments.pop();
    else segments.push(segment);
    const link = linkAt(segments);
    if (link === undefined || (link === 'fd' && index === rest.length - 1)) continue;
    if (link === 'pattern') return { path, known: false };
    if (link !== 'root' && (link !== 'cwd' || base === undefined)) return { path: undefined, known: false };
    segments = link === 'root' ? [] : (base ?? '').split('/').filter(Boolean);
    changed = true;
  }
  return { path: changed ? `/${segments.join('/')}` : path, known: true };
}

/** `/dev/fd/3` alone is a file that was opened by its name before. */
type Link = 'root' | 'cwd' | 'fd' | 'other' | 'pattern';

function linkAt(segments: readonly string[]): Link | undefined {
  const [first = '', second = '', ...rest] = segments;
  if (fitsGlob(first, 'dev') && fitsGlob(second, 'fd')) return rest.length === 1 ? 'fd' : undefined;
  if (!fitsGlob(first, 'proc')) return undefined;
  // Each thread has the same.
  const names = rest[0] === 'task' ? rest.slice(2) : rest;
  const [name = '', ...more] = names;
  if (more.length > 0) return name === 'fd' && more.length === 1 ? 'fd' : undefined;
  if (isGlob(`${first}${second}${name}`))
    return ['root', 'cwd', 'fd', 'task'].some((each) => name !== '' && fitsGlob(name, each))
      ? 'pattern'
      : undefined;
  if (name === 'root') return 'root';
  if (name !== 'cwd') return undefined;
  return second === 'self' || second === 'thread-self' ? 'cwd' : 'other';
}

const isGlob = (text: string): boolean => /[*?]/.test(text);

/** Whether it begins in `/proc` or `/dev`, also by a pattern or a detour. */
const mayBeProc = (path: string): boolean => /(?:^|\/)(?:[^/]*[*?][^/]*|proc|dev)\//.test(path);
