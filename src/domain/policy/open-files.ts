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
    if (link === undefined || (link === 'open' && index === rest.length - 1)) continue;
    if (link === 'pattern') return { path, known: false };
    const to = link === 'root' ? '/' : link === 'cwd' ? base : link === 'fd' ? '/proc/self/fd' : undefined;
    if (to === undefined) return { path: undefined, known: false };
    segments = to.split('/').filter(Boolean);
    changed = true;
  }
  return { path: changed ? `/${segments.join('/')}` : path, known: true };
}

/**
 * `fd`: `/dev/fd`, the folder of what is open. `open`: something in it, which alone is a file that was opened by its
 * name before. `other`: of another process. `pattern`: it may be any of them.
 */
type Link = 'root' | 'cwd' | 'fd' | 'open' | 'other' | 'pattern';

function linkAt(segments: readonly string[]): Link | undefined {
  const [first = '', second = '', ...rest] = segments;
  if (segments.length === 2 && first === 'dev' && second === 'fd') return 'fd';
  // What is open is a file that was opened by its name before; what is below is not.
  if (segments.length === 4 && fitsGlob(first, 'dev') && fitsGlob(second, 'fd')) return 'pattern';
  if (!fitsGlob(first, 'proc')) return undefined;
  // Each thread has the same.
  const [name = '', ...more] = rest[0] === 'task' ? rest.slice(2) : rest;
  if (more.length > 0) return name === 'fd' && more.length === 1 ? 'open' : undefined;
  if (isGlob(first + second + name))
    return patterns.some((each) => fitsGlob(name, each)) ? 'pattern' : undefined;
  if (name === 'root') return 'root';
  if (name !== 'cwd') return undefined;
  return second === 'self' || second === 'thread-self' ? 'cwd' : 'other';
}

const patterns = ['root', 'cwd', 'fd', 'task'];

const isGlob = (text: string): boolean => /[*?]/.test(text);

/** Whether it begins in `/proc` or `/dev`, also by a pattern or a detour. */
const mayBeProc = (path: string): boolean => /[*?]|\/(?:proc|dev)\//.test(path);
