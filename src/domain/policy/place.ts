// Where a path leads. The file system is asked at the edge: `real` comes from there.

export interface Place {
  /** Absolute, what relative paths start from; undefined where that is another program's business. */
  cwd: string | undefined;
  home: string;
  /** The path without links: of what does not exist, as far as it does. */
  real(path: string): string;
}

/** An absolute path without `.`, `..` and needless slashes. @param from where a relative one starts */
export function resolved(path: string, from = ''): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** What file systems that ignore case, accents' spelling and dots at the end hold for the same. */
export const folded = (path: string): string =>
  path
    .normalize('NFC')
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/[. ]{1,256}$/, ''))
    .join('/');
