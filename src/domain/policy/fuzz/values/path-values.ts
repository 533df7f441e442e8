// What templates say of a rule's `path`.
import { resolved } from '../../place.ts';
import type { Values } from '../fill.ts';

export interface PathPlace {
  /** The session's folder. */
  cwd: string;
  home: string;
  /** Whether a path is that of a file; a folder otherwise. */
  isFile(path: string): boolean;
}

const plain = /^[\w./:@%+,=-]{1,500}$/;

/** @returns undefined for a pattern whose signs a shell would read as something else */
export function pathValues(pattern: string, { cwd, home, isFile }: PathPlace): Values | undefined {
  const named = resolved(pattern.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home), cwd);
  const sample = named
    .split('/')
    .map((segment) => segment.replaceAll('**', 'x').replace(/[*?]/g, 'x'))
    .join('/');
  if (!plain.test(sample)) return undefined;
  const only = isFile(sample);
  const path = only ? sample : `${sample === '/' ? '' : sample}/x`;
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const rest = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : undefined;
  const middle = path.length - name.length - 2;
  const head = path.slice(0, middle);
  const tail = path.slice(middle);
  return {
    path,
    name,
    head,
    tail,
    // A rule about one file says nothing of the folder that it lies in.
    dir: only ? undefined : folder,
    'dir-name': only ? undefined : folder.split('/').at(-1),
    parent: only ? undefined : folder.slice(0, folder.lastIndexOf('/')) || '/',
    tilde: rest === undefined ? undefined : `~/${rest}`,
    'home-rest': rest,
    rel: relative(cwd, path),
    dotted: `${folder}/../${folder === '/' ? '' : `${folder.split('/').at(-1)}/`}${name}`.replace('//', '/'),
    doubled: path.replaceAll('/', '//'),
    // The sign before the last slash, which a folder has unless it is the root.
    glob: folder === '/' ? undefined : `${path.slice(0, folder.length - 1)}?${path.slice(folder.length)}`,
    UPPER: path.toUpperCase() === path ? undefined : path.toUpperCase(),
    'path-b64': btoa(path),
    'uri-path': `${head}%${tail.charCodeAt(0).toString(16).padStart(2, '0')}${tail.slice(1)}`,
    climb: `${folder}${'/..'.repeat(folder.split('/').length)}`,
    outside: path.startsWith('/etc/') ? '/usr/share/y' : '/etc/passwd',
  };
}

function relative(from: string, to: string): string {
  const [here, there] = [from, to].map((path) => path.split('/').filter(Boolean)) as [string[], string[]];
  const differ = here.findIndex((segment, at) => segment !== there[at]);
  const shared = differ < 0 ? here.length : differ;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/') || '.';
}
