import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimDirectory } from '../../../src/base/files/own-path.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

test('the directory and every file in it are for the owner only, whatever the umask', async () => {
  const before = process.umask(0);
  onTestFinished(() => {
    process.umask(before);
  });
  const dir = join(tempDir(), 'deep', 'state');
  const { journal } = openJournal({ dir });
  journal.append('a', [queued('1')]);
  await journal.durable(1);
  expect(mode(dir)).toBe(0o700);
  expect(readdirSync(dir).sort()).toEqual([
    'audit.key',
    'journal.db',
    'journal.db-wal',
    'journal.head',
    'journal.reserve',
  ]);
  for (const name of readdirSync(dir)) expect([name, mode(join(dir, name))]).toEqual([name, 0o600]);
  await journal.close();
});

test('a directory and files that others could read are closed to them', async () => {
  const dir = tempDir();
  await openJournal({ dir }).journal.close();
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'journal.db'), 0o644);
  await openJournal({ dir }).journal.close();
  expect(mode(dir)).toBe(0o700);
  expect(mode(join(dir, 'journal.db'))).toBe(0o600);
});

test('a state directory that is a link or a file is refused, and its target stays as it was', () => {
  const base = tempDir();
  mkdirSync(join(base, 'target'), { mode: 0o755 });
  symlinkSync(join(base, 'target'), join(base, 'link'));
  symlinkSync(join(base, 'nowhere'), join(base, 'dangling'));
  writeFileSync(join(base, 'file'), '');
  for (const name of ['link', 'link/', 'file']) {
    expect(() => openJournal({ dir: join(base, name) })).toThrow(
      expect.objectContaining({ code: 'state_dir_unsafe' }),
    );
  }
  expect(() => claimDirectory(join(base, 'dangling'))).toThrow('symbolic link');
  expect(readdirSync(join(base, 'target'))).toEqual([]);
  expect(mode(join(base, 'target'))).toBe(0o755);
});

test.each(['journal.db', 'journal.db-wal', 'journal.db-journal', 'journal.head', 'journal.reserve'])(
  'a %s that is a link or a directory is refused',
  (name) => {
    for (const make of [
      (path: string) => symlinkSync('/dev/null', path),
      (path: string) => mkdirSync(path),
    ]) {
      const dir = tempDir();
      make(join(dir, name));
      expect(() => openJournal({ dir })).toThrow(expect.objectContaining({ code: 'state_dir_unsafe' }));
      expect(readdirSync(dir)).toEqual([name]);
    }
  },
);

// Only root can give a directory away.
test.runIf(process.getuid?.() === 0)('a state directory of another user is refused', () => {
  const dir = tempDir();
  chownSync(dir, 12345, 12345);
  expect(() => openJournal({ dir })).toThrow('another user');
});
