// Old and new text as a unified diff: to look at. What is allowed is the exact text of the call.
import { structuredPatch } from 'diff';
import { exact } from '../../../domain/question/exact.ts';
import type { Change, Piece } from './change.ts';
import type { Diffed, DiffRow } from './diffed.ts';
import { readNow } from './read-now.ts';

/** More is not compared: all texts of a call together, characters, and lines that differ. */
const mostCharacters = 400_000;
const mostEdits = 4_000;
/** For all pieces, ms: the screen stands still meanwhile. */
const mostMs = 300;
/** Lines around a change. */
const context = 3;

/** Never rejects. */
export async function diffOf({ path, pieces }: Change): Promise<Diffed> {
  const rows: DiffRow[] = [];
  const notes = new Set<string>();
  const end = performance.now() + mostMs;
  let room = mostCharacters;
  for (const piece of pieces) {
    const { before, after, note } = await textsOf(path, piece);
    notes.add(note);
    room -= before.length + after.length;
    const left = end - performance.now();
    const compared = room < 0 || left <= 0 ? undefined : rowsOf(before, after, left);
    if (!compared)
      return { path, notes: ['The change is too large to compare: v shows its text.'], rows: [] };
    rows.push(...compared);
  }
  return { path, notes: [...notes], rows };
}

async function textsOf(path: string, { before, after }: Piece) {
  if (before !== undefined) {
    // Pieces of lines: that they do not end like a file says nothing.
    return {
      before: `${before}\n`,
      after: `${after}\n`,
      note: 'Lines are counted within the texts of the call.',
    };
  }
  const { text, note } = await readNow(path);
  return { before: text, after, note };
}

function rowsOf(before: string, after: string, timeout: number): DiffRow[] | undefined {
  const bounds = { context, maxEditLength: mostEdits, timeout };
  const patch = structuredPatch('', '', before, after, undefined, undefined, bounds);
  if (!patch) return undefined;
  const rows = patch.hunks.flatMap((hunk): DiffRow[] => [
    {
      mark: '@',
      text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    },
    ...hunk.lines.map((line): DiffRow => ({ mark: line.slice(0, 1), text: exact(line.slice(1)).text })),
  ]);
  return rows.length > 0 ? rows : [{ mark: '@', text: 'Nothing would change.' }];
}
