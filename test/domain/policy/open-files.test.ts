// Names of what a process has open, as the files that they lead to.
import { expect, test } from 'vitest';
import { fileUrlPath } from '../../../src/domain/policy/file-url.ts';
import { withoutProc } from '../../../src/domain/policy/open-files.ts';

test.for<[path: string, to: string]>([
  ['/proc/self/cwd', '/w/p'],
  ['/proc/self/cwd/a', '/w/p/a'],
  ['/proc/thread-self/cwd/a', '/w/p/a'],
  ['/proc/self/cwd/../a', '/w/a'],
  ['//proc/./self//cwd/a', '/w/p/a'],
  ['/x/../proc/self/cwd', '/w/p'],
  ['/proc/self/root', '/'],
  ['/proc/self/root/a', '/a'],
  ['/proc/1/root/a', '/a'],
  ['/proc/1/root/../a', '/a'],
  ['/proc/1/task/2/root/a', '/a'],
  ['/proc/self/task/2/cwd/a', '/w/p/a'],
  ['/proc/self/root/proc/1/root/a', '/a'],
  ['/proc/self/root/dev/fd/../cwd/a', '/w/p/a'],
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/fd/3', '/proc/self/fd/3'],
  ['/dev/fd/../root/a', '/a'],
])('%s is %s', ([path, to]) => expect(withoutProc(path, '/w/p')).toEqual({ path: to, known: true }));

test.for([
  '/a/../b',
  '/a/dev//b/../c',
  '/proc/self/net/stat/x',
  '/proc/self/fd/3',
  '/proc/self/status',
  '/proc/self',
  '/proc/self/cwdx/a',
  '/proc/self/task',
  '/proc/self/task/2/status',
  '/proc/self/net/cwd/x',
  '/proc/self/net/fd',
  '/procx/self/cwd/a',
  '/dev/null',
  '/dev/fdx/3',
  '/dev/shm/fd/3',
  '/x/dev/fd/3/a',
  '/x/proc/self/cwd/a',
  '/a/*/b',
  '/dev/f*/3',
  '/de?/fd/3',
  '/*/fd/3',
  '/*/xd/3/a',
  '/*/b/c',
  '/*/*/c',
  '/dev/sh*/x',
  '/d?v/x',
])('%s is as it is', (path) => expect(withoutProc(path, '/w/p')).toEqual({ path, known: true }));

test.for(['/proc/1/cwd', '/proc/1/cwd/a', '/proc/self/fd/3/a', '/dev/fd/3/a', '/proc/self/root/dev/fd/3/a'])(
  'where %s leads, nobody knows',
  (path) => expect(withoutProc(path, '/w/p')).toEqual({ path: undefined, known: false }),
);

test.for([
  '/pro?/self/cwd/a',
  '/proc/*/cwd/a',
  '/proc/self/c*/a',
  '/proc/self/*/a',
  '/proc/self/roo?/a',
  '/proc/self/f*/3',
  '/proc/self/tas?/2/cwd',
  '/dev/f*/3/a',
  '/de?/fd/3/a',
  '/*/fd/3/a',
  '/*/*/root',
])('%s may be such a name', (path) => expect(withoutProc(path, '/w/p')).toEqual({ path, known: false }));

test('without a folder to start in, that of the process is not known', () => {
  expect(withoutProc('/proc/self/cwd/a', undefined)).toEqual({ path: undefined, known: false });
  expect(withoutProc('/proc/self/root/a', undefined)).toEqual({ path: '/a', known: true });
});

test('an address of a file is its path, any other text is what it is', () => {
  for (const text of [
    'file:///a/b',
    'FILE:/a/b',
    ' file://localhost/a/b',
    'file:\\\\\\a\\b',
    'file://host/a/%62',
    'file:///a/./x/../b?y#z',
  ])
    expect([text, fileUrlPath(text)]).toEqual([text, '/a/b']);
  for (const text of ['file:a', 'xfile:///a', '/a', 'a file:///b', 'https://a/b'])
    expect([text, fileUrlPath(text)]).toEqual([text, text]);
  expect(fileUrlPath('file:///a/%ff')).toBe('/a/%ff');
  expect(fileUrlPath('file://a b/c')).toBe('file://a b/c');
});
