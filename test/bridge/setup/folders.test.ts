import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderFault } from '../../../src/base/files/folder-fault.ts';
import { judged } from '../../../src/bridge/setup/folders.ts';
import { tempDir } from '../journal/temp-dir.ts';

test('why nobody can work in a folder is told by what stands there', async () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'file'), '');
  symlinkSync(dir, join(dir, 'link'));
  symlinkSync(join(dir, 'gone'), join(dir, 'broken'));
  symlinkSync(join(dir, 'loop'), join(dir, 'loop'));
  const faults: [path: string, fault: string | undefined][] = [
    [dir, undefined],
    [join(dir, 'link'), undefined],
    [join(dir, 'gone'), 'does not exist'],
    [join(dir, 'broken'), 'does not exist'],
    [join(dir, 'file'), 'is no folder'],
    [join(dir, 'file/below'), 'does not exist'],
    [join(dir, 'loop'), 'cannot be opened (ELOOP)'],
    [join(dir, 'x'.repeat(300)), 'cannot be opened (ENAMETOOLONG)'],
    [`${dir}/\0`, 'cannot be opened (ERR_INVALID_ARG_VALUE)'],
  ];
  for (const [path, fault] of faults) expect([path, await folderFault(path)]).toEqual([path, fault]);
});

// Root opens everything.
test.skipIf(process.geteuid?.() === 0)('a folder that is closed to this user is said to be', async () => {
  const closed = join(tempDir(), 'closed');
  mkdirSync(closed, { mode: 0o000 });
  expect(await folderFault(closed)).toBe('cannot be opened by this user');
  chmodSync(closed, 0o700);
  expect(await folderFault(closed)).toBeUndefined();
});

test('what may be mounted yet is told from what is only wrong', async () => {
  const { sound, faults } = await judged(
    ['/mnt/no-such-disk/work', '/media/no-one/no-such-disk', join(tempDir(), 'gone'), '/'].map((folder) => ({
      folder,
      whose: 'sessions',
      mend: 'choose another',
    })),
  );
  expect(sound.map(({ folder }) => folder)).toEqual(['/']);
  expect(faults.map(({ later, suggestion }) => [later, suggestion])).toEqual([
    [true, 'Mount its disk, or choose another.'],
    [true, 'Mount its disk, or choose another.'],
    [undefined, 'Make it, or choose another.'],
  ]);
});
