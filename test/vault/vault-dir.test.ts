import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { VaultSettings } from '../../src/protocol/settings/vault.ts';
import { removeOtherIndexes, vaultPlaces } from '../../src/vault/vault-dir.ts';
import { tempFolder } from './temp-vault.ts';

const settings = (more: object = {}) => VaultSettings.parse({ path: '/notes', ...more });

test('another choice of notes is another index, and the same lock for those who write', () => {
  const state = tempFolder();
  const all = vaultPlaces(state, settings());
  const less = vaultPlaces(state, settings({ exclude: ['Private'] }));
  expect(less.dir).not.toBe(all.dir);
  expect(less.memoryLock).toBe(all.memoryLock);
  expect(vaultPlaces(state, settings({ memories: 'Elsewhere' })).dir).toBe(all.dir);
  expect(vaultPlaces(state, settings({ path: '/other' })).memoryLock).not.toBe(all.memoryLock);
});

test('an index of no vault is removed, with what it holds; nothing else is', () => {
  const state = tempFolder();
  const kept = vaultPlaces(state, settings());
  const other = vaultPlaces(state, settings({ exclude: ['Private'] }));
  for (const { dir } of [kept, other]) {
    mkdirSync(dir);
    writeFileSync(join(dir, '1.db'), 'text');
  }
  writeFileSync(kept.memoryLock, '');
  removeOtherIndexes(state, [settings()]);
  expect([kept.dir, other.dir, kept.memoryLock].map((path) => existsSync(path))).toEqual([true, false, true]);
});

test('vectors of no vault are removed, and the index that they are of stays', () => {
  const state = tempFolder();
  const [none, one, other] = [
    settings(),
    settings({ embeddings: 'builtin' }),
    settings({ embeddings: 'ollama', ollama: { model: 'small' } }),
  ];
  const folders = [one, other].map((each) => vaultPlaces(state, each).vectors);
  expect(new Set([...folders, vaultPlaces(state, none).vectors]).size).toBe(3);
  const left = () => folders.map((path) => existsSync(path));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  removeOtherIndexes(state, [one, other, none]);
  expect(left()).toEqual([true, true]);
  removeOtherIndexes(state, [none, other]);
  expect(left()).toEqual([false, true]);
  removeOtherIndexes(state, [none]);
  expect(left()).toEqual([false, false]);
  expect(existsSync(vaultPlaces(state, none).dir)).toBe(true);
});

test('the address of a model that is not used makes no other vectors', () => {
  const builtin = (url: string) =>
    vaultPlaces(tempFolder(), settings({ embeddings: 'builtin', ollama: { url } }));
  expect(basename(builtin('http://127.0.0.1:1').vectors)).toBe(
    basename(builtin('http://127.0.0.1:2').vectors),
  );
});
