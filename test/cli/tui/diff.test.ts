// A change of a file as a diff: beside the exact text, and never in its place.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changeOf } from '../../../src/cli/tui/diff/change.ts';
import { diffOf } from '../../../src/cli/tui/diff/diff-of.ts';
import type { Diffed } from '../../../src/cli/tui/diff/diffed.ts';
import { screen } from '../../../src/cli/tui/terminal/screen.ts';
import { Seat } from './seat.ts';

const key = 'agent:main:main';
const edit = {
  file_path: '/work/a.ts',
  old_string: 'one\ntwo\nthree',
  new_string: 'one\nTWO\u202e\nthree\nfour',
};

function asking(tool: string, input: unknown, rows = 40): Seat {
  const seat = new Seat(100, rows);
  seat.working(key);
  seat.asks(key, 'kmqtr', tool, input);
  seat.press('p');
  return seat;
}

/** Does what the terminal's owner does. */
async function compared(seat: Seat): Promise<void> {
  const effect = seat.taken().find(({ type }) => type === 'compare');
  if (effect?.type !== 'compare') throw new Error('nothing was to be compared');
  seat.act({ type: 'compared', code: effect.code, diffed: await diffOf(effect.change) });
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'synthesis-diff-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const diff = async (tool: string, input: unknown): Promise<Diffed> => {
  const change = changeOf(tool, input);
  if (!change) throw new Error('no change');
  return diffOf(change);
};
const rowsOf = ({ rows }: Diffed): string[] =>
  rows.map(({ mark, text }) => (mark === '@' ? text : mark + text));

describe('on the screen', () => {
  test('v shows an edit with its signs in colour and unseen characters written out, and v comes back', async () => {
    const seat = asking('Edit', edit);
    expect(seat.screen).toContain('a allow once   v as a diff   d deny');
    seat.press('v');
    expect(seat.screen).toContain('It is being compared.');
    await compared(seat);
    expect(seat.screen).toContain(
      [' @@ -1,3 +1,4 @@', '   one', ' - two', ' + TWO⟦U+202E⟧', '   three', ' + four'].join('\n'),
    );
    const tones = screen(seat.model)
      .parts.flatMap((part) => (part.kind === 'rows' ? part.lines : []))
      .flat();
    expect(tones.find(({ text }) => text === 'two')?.tone).toBe('bad');
    expect(tones.find(({ text }) => text === 'four')?.tone).toBe('good');
    seat.press('v');
    expect(seat.screen).toContain('Permission kmqtr');
    expect(seat.screen).toContain('"old_string"');
  });

  test('nothing is allowed or denied from a diff, and what was scrolled there was not read', async () => {
    const long = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    const seat = asking('Write', { file_path: '/nowhere/at/all', content: long, more: long.split('\n') }, 24);
    seat.press('v');
    await compared(seat);
    seat.press('a', 'ctrl+y', 's', 'ctrl+y', 'd', 'end', 'esc');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('Permission kmqtr');
    seat.press('a', 'ctrl+y');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('Read all of it first');
  });

  test('what was read before a look at the diff stays read, but not in a terminal of another size', async () => {
    const seat = asking('Edit', edit);
    seat.press('v');
    await compared(seat);
    seat.press('v', 'a', 'ctrl+y');
    expect(seat.taken()).toHaveLength(1);
    const other = asking('Edit', { ...edit, more: 'x\n'.repeat(90) }, 200);
    other.press('v');
    await compared(other);
    other.resize(100, 16);
    other.press('v', 'a', 'ctrl+y');
    expect(other.taken()).toEqual([]);
  });

  test('where nothing can be compared, v says so and is not offered', () => {
    for (const [tool, input] of [
      ['Bash', { command: 'ls' }],
      ['Edit', { file_path: '/a', old_string: 1 }],
      ['MultiEdit', { file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }, null] }],
      ['Write', null],
    ] as const) {
      const seat = asking(tool, input);
      expect(seat.screen).not.toContain('as a diff');
      seat.press('v');
      expect(seat.taken()).toEqual([]);
      expect(seat.screen).toContain('It is no change of a file');
    }
  });
});

describe('a change', () => {
  test('of several pieces shows each', async () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'c' },
    ];
    const diffed = await diff('MultiEdit', { file_path: '/a', edits });
    expect(rowsOf(diffed)).toEqual(['@@ -1,1 +1,1 @@', '-a', '+b', 'Nothing would change.']);
  });

  test('that writes a file is compared with what lies there now', async () => {
    const path = join(folder(), 'a.txt');
    const write = (content: string) => diff('Write', { file_path: path, content });
    expect((await write('new\n')).notes).toEqual(['There is no such file yet: all of it is new.']);
    writeFileSync(path, 'old\nsame\n');
    const diffed = await write('new\nsame\n');
    expect(diffed.notes).toEqual(['Compared with the file as it is now.']);
    expect(rowsOf(diffed)).toEqual(['@@ -1,2 +1,2 @@', '-old', '+new', ' same']);
  });

  test('to a folder, a pipe, a large file or a path that is not absolute is said, and waits for nothing', async () => {
    const dir = folder();
    const pipe = join(dir, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const large = join(dir, 'large');
    writeFileSync(large, 'x'.repeat(1_000_001));
    const notes = async (path: string) =>
      (await diff('Write', { file_path: path, content: 'a' })).notes.join(' ');
    expect(await notes(dir)).toContain('no ordinary file');
    expect(await notes(pipe)).toContain('no ordinary file');
    expect(await notes(large)).toContain('too large to compare');
    expect(await notes('a.txt')).toContain('not absolute');
    expect(await notes('a\u0000b')).toContain('not absolute');
    expect(await notes('/a\u0000b')).toContain('could not be read');
  });

  test('that is too large says so, and takes no longer than a blink', async () => {
    const lines = (word: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');
    const began = performance.now();
    for (const count of [20_000, 200_000]) {
      const diffed = await diff('Edit', {
        file_path: '/a',
        old_string: lines('a', count),
        new_string: lines('b', count),
      });
      expect(diffed.notes).toEqual(['The change is too large to compare: v shows its text.']);
    }
    // The same in pieces, each of which is small enough.
    const edits = Array.from({ length: 300 }, () => ({
      old_string: lines('a', 200),
      new_string: lines('b', 200),
    }));
    const pieces = await diff('MultiEdit', { file_path: '/a', edits });
    expect(pieces.notes).toEqual(['The change is too large to compare: v shows its text.']);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
