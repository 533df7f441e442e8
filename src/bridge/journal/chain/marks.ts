// What happened to the journal itself, beside its rows: few, chained and sealed on their own, so that a damaged mark
// costs no row.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type ChainKey, sameSeal } from './chain-key.ts';
import { genesis } from './hash-chain.ts';

export const MarkDetail = z.discriminatedUnion('kind', [
  /** From here on rows are sealed with this key. Rows before it are not, or with the key `before`. */
  z.object({ kind: z.literal('keyed'), key: z.string(), before: z.string().optional() }),
  /** The journal was damaged; rows after this one are gone. */
  z.object({
    kind: z.literal('repaired'),
    lost: z.union([z.number(), z.literal('unknown')]),
    why: z.string(),
    /** Name of the damaged file in the state directory. */
    file: z.string(),
  }),
  /** At a start the end of the journal did not carry the seal of its own key. */
  z.object({ kind: z.literal('unsealed'), why: z.string() }),
]);
export type MarkDetail = z.infer<typeof MarkDetail>;

export interface Mark {
  /** From 1, without gaps. */
  n: number;
  /** It stands behind this row; 0 = before the first. */
  seq: number;
  /** Wall clock, epoch ms. */
  at: number;
  /** {@link MarkDetail} as JSON. */
  detail: string;
  seal: string;
}

/** The end of the marks: what the next one and the head file are sealed with. */
export interface LastMark {
  marks: number;
  markSeal: string;
}

export const lastMark = (marks: readonly Mark[]): LastMark => ({
  marks: marks.length,
  markSeal: marks.at(-1)?.seal ?? genesis,
});

/** `link` is that of the row it stands behind, so that no mark can be moved. */
const textOf = ({ n, seq, at, detail }: Omit<Mark, 'seal'>, link: string) =>
  `${n}\n${seq}\n${link}\n${at}\n${detail}`;

/** @returns undefined for a mark that this release cannot read */
export function detailOf(mark: Mark): MarkDetail | undefined {
  try {
    return MarkDetail.safeParse(JSON.parse(mark.detail)).data;
  } catch {
    return undefined;
  }
}

/** The key that the newest rows are sealed with, as the marks say. */
export function keyInUse(marks: readonly Mark[]): string | undefined {
  const keyed = marks.map(detailOf).findLast((detail) => detail?.kind === 'keyed');
  return keyed?.kind === 'keyed' ? keyed.key : undefined;
}

export const markHolds = (key: ChainKey, previous: string, mark: Mark, link: string): boolean =>
  sameSeal(mark.seal, key.mark(previous, textOf(mark, link)));

/** There is one for each key and each repair. */
export function* eachMark(db: DatabaseSync): Generator<Mark> {
  const known = db.prepare("select 1 from sqlite_master where name = 'mark'").get();
  if (!known) return;
  const marks = db.prepare('select n, seq, at, detail, seal from mark order by n');
  for (const mark of marks.iterate()) yield { ...mark } as unknown as Mark;
}

export const readMarks = (db: DatabaseSync): Mark[] => [...eachMark(db)];

export function addMark(
  db: DatabaseSync,
  key: ChainKey,
  { marks, markSeal }: LastMark,
  place: { seq: number; link: string; at: number },
  detail: MarkDetail,
): LastMark {
  const { seq, link, at } = place;
  const mark = { n: marks + 1, seq, at, detail: JSON.stringify(detail) };
  const seal = key.mark(markSeal, textOf(mark, link));
  db.prepare('insert into mark (n, seq, at, detail, seal) values (?, ?, ?, ?, ?)').run(
    mark.n,
    seq,
    at,
    mark.detail,
    seal,
  );
  return { marks: mark.n, markSeal: seal };
}
