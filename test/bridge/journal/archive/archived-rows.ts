// Rows as they leave the database, and segments of them.
import { readSegment } from '../../../../src/bridge/journal/archive/read-segment.ts';
import type { ChainPlace, SealedRow } from '../../../../src/bridge/journal/archive/segment-lines.ts';
import type { Segment } from '../../../../src/bridge/journal/archive/segment-name.ts';
import { SegmentWriter } from '../../../../src/bridge/journal/archive/segment-writer.ts';
import { archiveFolder } from '../../../../src/bridge/journal/archive/segments.ts';
import type { ChainKey } from '../../../../src/bridge/journal/chain/chain-key.ts';
import { genesis, linkOf } from '../../../../src/bridge/journal/chain/hash-chain.ts';
import { delta } from '../sample-events.ts';
import { theKey } from '../sealed-journal.ts';
import { tempDir } from '../temp-dir.ts';

export const start: ChainPlace = { seq: 0, link: genesis, seal: genesis };

/** 2026-11-22. */
export const noon = Date.UTC(2026, 10, 22, 12);

interface RowsOptions {
  after?: ChainPlace;
  /** Rows of a commit; the last one carries the seal. */
  commit?: number;
  key?: ChainKey;
  /** Of the first row; each is a millisecond later. */
  at?: number;
}

/** One row for each text, linked and sealed as the journal does it. */
export function sealedRows(texts: readonly string[], options: RowsOptions = {}): SealedRow[] {
  const { after = start, commit = 3, key = theKey, at = noon } = options;
  let { link, seal } = after;
  return texts.map((text, index) => {
    const body = JSON.stringify(delta(text));
    const row = {
      seq: after.seq + 1 + index,
      at: at + index,
      session: JSON.stringify(`s${index % 5}`),
      body,
    };
    link = linkOf(link, row);
    const isSealed = (index + 1) % commit === 0 || index === texts.length - 1;
    if (isSealed) seal = key.row(seal, row.seq, link);
    return { ...row, link, seal: isSealed ? seal : null };
  });
}

/** So many different texts. */
export const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `message ${n} ${'and on '.repeat(n % 7)}`);

export function endOf(rows: readonly SealedRow[]): ChainPlace {
  const { seq, link } = rows.at(-1) ?? start;
  return { seq, link, seal: rows.findLast((row) => row.seal !== null)?.seal ?? genesis };
}

/** @param before where the chain stands before them */
export async function archived(
  dir: string,
  rows: readonly SealedRow[],
  before: ChainPlace = start,
  size = 500,
): Promise<Segment> {
  const { seq, link, seal } = before;
  const writer = SegmentWriter.begin(dir, { first: seq + 1, link, seal });
  for (let at = 0; at < rows.length; at += size) writer.add(rows.slice(at, at + size));
  return writer.finish();
}

/** An archive of as many segments as there are lists of rows. */
export async function archiveOf(
  ...parts: readonly SealedRow[][]
): Promise<{ dir: string; segments: Segment[] }> {
  const dir = archiveFolder(tempDir());
  let before = start;
  const segments: Segment[] = [];
  for (const rows of parts) {
    segments.push(await archived(dir, rows, before));
    before = endOf(rows);
  }
  return { dir, segments };
}

/** Three segments of 30 rows each, and their rows. */
export async function threeSegments(
  key: ChainKey = theKey,
): Promise<{ dir: string; segments: Segment[]; rows: SealedRow[] }> {
  const first = sealedRows(texts(30), { key });
  const second = sealedRows(texts(30), { key, after: endOf(first), at: noon + 86_400_000 });
  const third = sealedRows(texts(30), { key, after: endOf(second), at: noon + 2 * 86_400_000 });
  return { ...(await archiveOf(first, second, third)), rows: [...first, ...second, ...third] };
}

export async function readAll(path: string): Promise<SealedRow[]> {
  const rows: SealedRow[] = [];
  for await (const row of readSegment(path)) rows.push(row);
  return rows;
}
