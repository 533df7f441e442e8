// Places for mounts are made in folders that Claude's shell writes to.
import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clearLinks } from '../../../../src/bridge/claude/contain/clear-links.ts';
import { tempDir } from '../../journal/temp-dir.ts';

test('a link on the way to a place is removed, with nothing behind it; others stay', () => {
  const own = tempDir();
  mkdirSync(join(own, 'precious/below'), { recursive: true });
  writeFileSync(join(own, 'precious/file'), 'mine');
  mkdirSync(join(own, 'cache/deep'), { recursive: true });
  for (const name of ['pip', 'deep/one', 'other'])
    symlinkSync(join(own, 'precious'), join(own, 'cache', name));
  clearLinks([
    { path: '/home/u/.cache', as: 'write', from: join(own, 'cache') },
    { path: '/home/u/.cache/pip/below', as: 'write' },
    { path: '/home/u/.cache/deep/one', as: 'write' },
    { path: '/home/u/elsewhere', as: 'write' },
  ]);
  const isThere = (name: string) =>
    lstatSync(join(own, 'cache', name), { throwIfNoEntry: false }) !== undefined;
  expect(['pip', 'deep', 'deep/one', 'other'].map(isThere)).toEqual([false, true, false, true]);
  expect([join(own, 'precious/file'), join(own, 'precious/below')].every(existsSync)).toBe(true);
});
