import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimMemoryFolder, memoryPath } from '../../../../src/bridge/claude/launch/memory-folder.ts';

test('a memory lies where no link leads to it, in a folder of this user alone', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'memory-')));
  try {
    mkdirSync(join(dir, 'disk/state'), { recursive: true, mode: 0o700 });
    symlinkSync(join(dir, 'disk'), join(dir, 'link'));
    const stateDir = join(dir, 'link/state');
    claimMemoryFolder(stateDir, 'a key');
    const path = memoryPath(stateDir, 'a key');
    expect(path).toMatch(join(dir, 'disk/state/memory/'));
    expect((statSync(path).mode & 0o777).toString(8)).toBe('700');
    expect(memoryPath(stateDir, 'another')).not.toBe(path);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
