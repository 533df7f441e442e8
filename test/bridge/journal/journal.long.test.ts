// What the rest of the bridge may rely on, whichever journal it was given.
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { runs } from '../../support/runs.ts';
import { delta, queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

const kinds = {
  memory: (clock: ManualClock) => new MemoryJournal({ clock }),
  sqlite: (clock: ManualClock) => openJournal({ dir: tempDir(), clock }).journal,
};

describe.each(Object.entries(kinds))('the %s journal', (_name, open) => {
  const fresh = () => {
    const clock = new ManualClock();
    const journal = open(clock);
    onTestFinished(() => journal.close());
    return { clock, journal };
  };

  test('numbers rows from 1 without gaps, over all sessions', () => {
    const { journal } = fresh();
    expect(journal.last).toBe(0);
    const rows = [
      ...journal.append('a', [queued('1'), delta('2')]),
      ...journal.append('b', []),
      ...journal.append('b', [delta('3')]),
    ];
    expect(rows.map(({ seq, session }) => [seq, session])).toEqual([
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(journal.last).toBe(3);
  });

  test('stamps rows with the wall clock in whole milliseconds', () => {
    const { clock, journal } = fresh();
    clock.advance(1.5);
    expect(journal.append('a', [delta('1')])[0]?.at).toBe(Date.UTC(2026, 0, 1) + 1);
  });

  test('reads a row back before and after it became durable', async () => {
    const { journal } = fresh();
    const rows = journal.append('a', [queued('1'), delta('2')]);
    expect([...journal.read(0)]).toEqual(rows);
    await journal.durable(2);
    expect([...journal.read(0)]).toEqual(rows);
  });

  test('reads from a cursor, up to a limit, across what is durable and what is not', async () => {
    const { journal } = fresh();
    journal.append('a', [delta('1'), delta('2'), delta('3')]);
    await journal.durable(3);
    journal.append('a', [delta('4'), delta('5')]);
    const seqs = (after: number, limit?: number) => [...journal.read(after, limit)].map(({ seq }) => seq);
    expect(seqs(0)).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(1, 3)).toEqual([2, 3, 4]);
    expect(seqs(3)).toEqual([4, 5]);
    expect(seqs(5)).toEqual([]);
    expect(seqs(9)).toEqual([]);
    expect(seqs(0, 0)).toEqual([]);
  });

  test('reads the rows of one session only, when asked', async () => {
    const { journal } = fresh();
    journal.append('a', [delta('1')]);
    journal.append('b', [delta('2')]);
    await journal.durable(2);
    journal.append('a', [delta('3')]);
    const seqs = (session: string, limit?: number) =>
      [...journal.read(0, limit, session)].map(({ seq }) => seq);
    expect(seqs('a')).toEqual([1, 3]);
    expect(seqs('a', 1)).toEqual([1]);
    expect(seqs('b')).toEqual([2]);
    expect(seqs('c')).toEqual([]);
  });

  test('a reading that has begun sees what is appended and committed meanwhile, once', async () => {
    const { journal } = fresh();
    journal.append('a', [delta('1'), delta('2')]);
    const seen: number[] = [];
    for (const { seq } of journal.read(0)) {
      seen.push(seq);
      if (seq === 1) await journal.durable(2);
      if (seq < 600) journal.append('a', [delta('more')]);
    }
    expect(seen).toEqual(Array.from({ length: journal.last }, (_, index) => index + 1));
    expect(seen.length).toBeGreaterThan(600);
  });

  test('tells a subscriber about every later row, in order, before append returns', () => {
    const { journal } = fresh();
    journal.append('a', [delta('before')]);
    const seen: JournalRow[] = [];
    const unsubscribe = journal.subscribe((row) => seen.push(row));
    const rows = journal.append('a', [delta('1'), delta('2')]);
    expect(seen).toEqual(rows);
    unsubscribe();
    unsubscribe();
    journal.append('a', [delta('after')]);
    expect(seen).toEqual(rows);
  });

  test('tells the subscriber of one session nothing about others', () => {
    const { journal } = fresh();
    const seen: number[] = [];
    const unsubscribe = journal.subscribe(({ seq }) => seen.push(seq), 'b');
    journal.append('a', [delta('1')]);
    journal.append('b', [delta('2')]);
    unsubscribe();
    journal.append('b', [delta('3')]);
    expect(seen).toEqual([2]);
  });

  test('keeps the order for everybody when a subscriber appends', () => {
    const { journal } = fresh();
    const first: number[] = [];
    const second: number[] = [];
    journal.subscribe(({ seq }) => {
      first.push(seq);
      if (seq === 1) journal.append('b', [delta('nested')]);
    });
    journal.subscribe(({ seq }) => second.push(seq));
    journal.append('a', [queued('1'), delta('2')]);
    expect(first).toEqual([1, 2, 3]);
    expect(second).toEqual([1, 2, 3]);
  });

  test('a subscriber that comes while a row is handed out is not called for rows it can read', () => {
    const { journal } = fresh();
    const seen: number[] = [];
    journal.subscribe(({ seq }) => {
      if (seq === 1) journal.subscribe((row) => seen.push(row.seq));
    });
    journal.append('a', [delta('1'), delta('2')]);
    expect(seen).toEqual([]);
    journal.append('a', [delta('3')]);
    expect(seen).toEqual([3]);
  });

  test('a failing subscriber harms neither the others nor the append', () => {
    const { journal } = fresh();
    const seen: number[] = [];
    journal.subscribe(() => {
      throw new Error('reader broke');
    });
    journal.subscribe(({ seq }) => seen.push(seq));
    journal.append('a', [delta('1'), delta('2')]);
    expect(seen).toEqual([1, 2]);
  });

  test('refuses to promise a row that was never appended', async () => {
    const { journal } = fresh();
    await expect(journal.durable(0)).resolves.toBeUndefined();
    await expect(journal.durable(1)).rejects.toThrow('never appended');
  });

  test('after close it takes nothing more, and closing again is harmless', async () => {
    const { journal } = fresh();
    journal.append('a', [queued('1')]);
    await journal.close();
    await journal.close();
    await expect(journal.durable(1)).resolves.toBeUndefined();
    expect(() => journal.append('a', [delta('2')])).toThrow('closed');
  });

  test('gives back any text and any session key exactly as it was', async () => {
    const { journal } = fresh();
    const text = fc.string({ unit: 'binary' });
    const hostile = [
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      '\u2028',
      '\ufffd',
      '{"__proto__":1}',
      "'; drop table",
    ];
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.constantFrom(...hostile)), text, async (session, words) => {
        const after = journal.last;
        const rows = journal.append(session, [queued(words)]);
        await journal.durable(journal.last);
        expect([...journal.read(after, 1, session)]).toEqual(rows);
      }),
      { numRuns: runs(100) },
    );
  });
});
