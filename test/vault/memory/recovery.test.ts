import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { withLock } from '../../../src/vault/memory/lock.ts';
import { MemoryError } from '../../../src/vault/memory/memory-error.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { tempVault } from '../temp-vault.ts';

const now = new Date(2026, 10, 23, 14, 5);
const depsOf = (root: string) => ({ folder: 'Memories', now, lockFile: join(root, '..', 'lock') });
const store = (root: string, request: { text: string }) => storeMemory(root, request, depsOf(root));

test('while another one stores, one waits, and gives up in words', () => {
  const root = tempVault();
  const { lockFile } = depsOf(root);
  const other = new DatabaseSync(lockFile);
  other.exec('BEGIN EXCLUSIVE');
  expect(() => withLock(lockFile, () => 'work', 50)).toThrow(
    'Another process has been storing memories for 0.05 s',
  );
  other.close();
  expect(withLock(lockFile, () => 'work', 50)).toBe('work');
  expect(() => withLock(lockFile, () => withLock(lockFile, () => 'work', 10))).toThrow(MemoryError);
  expect(() => withLock(join(root, 'none', 'lock'), () => 'work')).toThrow(
    'lock for memories cannot be used',
  );
});

test('drafts that a killed process left go away once nobody can be at work on them', () => {
  const root = tempVault({
    'Memories/.d0123456789abcd.synthesis.tmp': 'old',
    'Memories/.d1123456789abcd.synthesis.tmp': 'new',
    'Memories/.mine.tmp': 'x',
  });
  utimesSync(join(root, 'Memories/.d0123456789abcd.synthesis.tmp'), 1, 1);
  utimesSync(join(root, 'Memories/.mine.tmp'), 1, 1);
  store(root, { text: 'x' });
  expect(readdirSync(join(root, 'Memories'))).toEqual([
    '.d1123456789abcd.synthesis.tmp',
    '.mine.tmp',
    '2026-11-23.md',
  ]);
});

test('what a killed process has written in part is taken back by the next one, unless somebody wrote behind it', () => {
  const root = tempVault({ 'Memories/2026-11-23.md': 'mine\n' });
  const intent = (text: string) =>
    writeFileSync(
      `${depsOf(root).lockFile}.intent`,
      JSON.stringify({ root, file: 'Memories/2026-11-23.md', size: 5, text }),
      { mode: 0o600 },
    );
  const note = join(root, 'Memories', '2026-11-23.md');
  const after = (tail: string, of: string) => {
    writeFileSync(note, `mine\n${tail}`);
    intent(of);
    store(root, { text: 'next' });
    return readFileSync(note, 'utf8').replace(/- 14:05 next.*\n$/, '');
  };
  expect(after('- 14:0', '- 14:05 whole\n')).toBe('mine\n');
  expect(after('- 14:05 whole\n', '- 14:05 whole\n')).toBe('mine\n- 14:05 whole\n');
  expect(after('- 14:0 and more\n', '- 14:05 whole\n')).toBe('mine\n- 14:0 and more\n');
  expect(after('', '- 14:05 whole\n')).toBe('mine\n');
  writeFileSync(`${depsOf(root).lockFile}.intent`, '{"half', { mode: 0o600 });
  expect(store(root, { text: 'after a half intent' }).isNew).toBe(true);
  expect(existsSync(`${depsOf(root).lockFile}.intent`)).toBe(false);
});
