import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryId } from '../../../src/vault/memory/entry/entry.ts';
import { withLock } from '../../../src/vault/memory/lock.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { tempVault } from '../temp-vault.ts';
import { lockOf, memoriesIn, notesIn, runStorer } from './storers.ts';

const head = /^---\ncreated: 2026-11-23\ntags: \[memory\]\nsource: synthesis\n---\n\n# .+\n\n/;

/** Everything stored is there once, whole, in notes that begin as they should. */
function expectWhole(root: string, texts: readonly string[]): void {
  const notes = notesIn(root);
  const all = [...notes.values()].map(memoriesIn);
  expect(all.flatMap(({ torn }) => torn)).toEqual([]);
  const ids = all.flatMap((note) => note.ids);
  expect([ids.length, new Set(ids).size]).toEqual([texts.length, texts.length]);
  expect(new Set(ids)).toEqual(new Set(texts.map(memoryId)));
  for (const note of notes.values()) expect(note).toMatch(head);
}

test('of 1,000 memories that two processes store at once, all are kept, each once and whole', async () => {
  const root = tempVault();
  const both = await Promise.all([runStorer(root, 'one', 500), runStorer(root, 'two', 500)]);
  const stored = both.flat();
  expect([stored.length, stored.every(({ isNew }) => isNew)]).toEqual([1_000, true]);
  expectWhole(
    root,
    stored.map(({ text }) => text),
  );
  for (const { file, line, text } of stored) {
    const found = readFileSync(join(root, file), 'utf8').split('\n')[line - 1];
    expect(found).toContain(text.split('\n')[0]);
  }
});

test('what two processes are told both is stored once', async () => {
  const root = tempVault();
  const both = await Promise.all([runStorer(root, 'same', 300), runStorer(root, 'same', 300)]);
  expect(both.flat().filter(({ isNew }) => isNew).length).toBe(300);
  expectWhole(
    root,
    both[0].map(({ text }) => text),
  );
});

test('an editor that adds lines of its own meanwhile loses none, and makes none lost', async () => {
  const root = tempVault();
  let running = true;
  const storing = Promise.all([runStorer(root, 'one', 300), runStorer(root, 'two', 300)]).finally(() => {
    running = false;
  });
  const own: string[] = [];
  while (running) {
    await nextTurn();
    if (own.length >= 2_000) continue;
    for (const file of ['Kitchen.md', 'kitchen.md', '2026-11-23.md']) {
      const path = join(root, 'Memories', file);
      if (statSync(path, { throwIfNoEntry: false }) === undefined) continue;
      own.push(`- mine ${own.length}`);
      appendFileSync(path, `${own.at(-1)}\n`);
    }
  }
  const stored = (await storing).flat();
  const notes = [...notesIn(root).values()];
  const lines = new Set(notes.flatMap((note) => note.split('\n')));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((line) => !lines.has(line))).toEqual([]);
  const ids = notes.flatMap((note) => memoriesIn(note).ids);
  expect([ids.length, new Set(ids)]).toEqual([600, new Set(stored.map(({ text }) => memoryId(text)))]);
});

/** What is neither a memory nor an edit of the editor below. */
const tornIn = (note: string) => memoriesIn(note).torn.filter((item) => !/^- edited \d+\n$/.test(item));

test('an editor that replaces the note meanwhile loses what it had not read, and nothing is torn', async () => {
  const root = tempVault();
  let running = true;
  const storing = runStorer(root, 'one', 400).finally(() => {
    running = false;
  });
  const path = join(root, 'Memories', '2026-11-23.md');
  const lost = new Set<string>();
  let replaced = 0;
  // It saves when the note is another one than it saved last.
  let saved = -1;
  while (running) {
    await nextTurn();
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined || size === saved) continue;
    const open = openSync(path, 'r');
    const before = readFileSync(path, 'utf8');
    // It has read half of what was being written just then: what it made of that would be its own.
    if (tornIn(before).length > 0) {
      closeSync(open);
      continue;
    }
    writeFileSync(`${path}.editor`, `${before}${before.endsWith('\n') ? '' : '\n'}- edited ${replaced}\n`);
    renameSync(`${path}.editor`, path);
    // What came between its look and its save is in the old file alone: an editor's doing, and nobody else's.
    for (const id of memoriesIn(readFileSync(open, 'utf8')).ids) if (!before.includes(id)) lost.add(id);
    closeSync(open);
    saved = statSync(path).size;
    replaced += 1;
  }
  const stored = await storing;
  expect(stored.length).toBe(400);
  const notes = [...notesIn(root).values()];
  const kept = notes.flatMap((note) => memoriesIn(note).ids);
  expect([replaced > 10, notes.flatMap(tornIn)]).toEqual([true, []]);
  expect([...notesIn(root).keys()].toSorted()).toEqual(
    ['2026-11-23.md', 'Anna.md', 'Kitchen.md'].map((name) => `Memories/${name}`),
  );
  const missing = stored.map(({ text }) => memoryId(text)).filter((id) => !kept.includes(id));
  expect(missing.filter((id) => !lost.has(id))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
});

test('a process that is killed leaves no torn note, everything that it said is there, and the lock is free', async () => {
  const root = tempVault();
  const said: string[] = [];
  for (let kill = 0; kill < 20; kill += 1) {
    const acknowledged = await runStorer(root, `life ${kill}`, 1_000, (count, child) => {
      if (count >= 1 + (kill % 7) * 3) child.kill('SIGKILL');
    });
    said.push(...acknowledged.map(({ text }) => text));
    expect(withLock(lockOf(root), () => 'free', 1_000)).toBe('free');
  }
  storeMemory(
    root,
    { text: 'after all' },
    { folder: 'Memories', now: new Date(2026, 10, 23), lockFile: lockOf(root) },
  );
  const notes = [...notesIn(root).values()];
  for (const note of notes) expect(note).toMatch(head);
  expect(notes.flatMap((note) => memoriesIn(note).torn)).toEqual([]);
  const kept = new Set(notes.flatMap((note) => memoriesIn(note).ids));
  expect(said.filter((text) => !kept.has(memoryId(text)))).toEqual([]);
  expect(said.length).toBeGreaterThan(100);
});
