// Walks the whole chain with the key in hand: nothing altered, nothing left out? Reads each row once and keeps none.
import type { AuditFault, AuditGap, AuditVerdict } from '../../../domain/views/audit/audit.ts';
import type { SessionEvent } from '../../../protocol/events/events.ts';
import { SegmentDamagedError } from '../archive/segment-error.ts';
import type { ChainPlace } from '../archive/segment-lines.ts';
import { type Anchor, readAnchor } from '../chain/anchor.ts';
import { type ChainKey, sameSeal } from '../chain/chain-key.ts';
import { genesis, nextRow, type StoredRow } from '../chain/hash-chain.ts';
import type { HeadState } from '../chain/head-file.ts';
import { headForgery } from '../chain/head-forgery.ts';
import { detailOf, keyInUse, type Mark, markHolds } from '../chain/marks.ts';
import { sqliteTrouble } from '../store/sqlite-error.ts';
import { isoOf, range, Tombstones } from './verify-tombstones.ts';

export interface ChainToVerify {
  /** All rows, the archived ones too, oldest first; those behind `last` are left alone. */
  rows: AsyncIterable<StoredRow> | Iterable<StoredRow>;
  /** What comes before the first of them: archived so long ago that it is not kept any more. */
  start: ChainPlace;
  /** Seq of the last row that counts: what is appended meanwhile is not looked at. */
  last: number;
  marks: readonly Mark[];
  head: HeadState;
  key: ChainKey;
  /** Lines of `audit anchor`, kept elsewhere. */
  anchors: readonly string[];
}

/** The origin that the first row of a snapshot names; undefined for what is none, or not even an event. */
function originIn(body: string): number | undefined {
  try {
    const event = JSON.parse(body) as SessionEvent | null;
    return event?.type === 'bridge.compacted' ? event.origin : undefined;
  } catch {
    return undefined;
  }
}

function sessionOf(session: unknown): string | null {
  try {
    return typeof session === 'string' ? String(JSON.parse(session)) : null;
  } catch {
    return null;
  }
}

const fault = (seq: number, why: string, row?: StoredRow): AuditFault => ({
  seq,
  at: isoOf(row?.at),
  session: sessionOf(row?.session),
  why,
});

class Walk {
  readonly #chain: ChainToVerify;
  readonly #anchors: readonly Anchor[];
  /** Rows behind this one are sealed with our key. */
  readonly #since: number;
  /** Links that anchors, marks and the head file name, by row. */
  readonly #links = new Map<number, string | undefined>();
  #seq: number;
  #link: string;
  #seal: string;
  #sealed: number;
  readonly tombstones: Tombstones;
  /** When the rows were archived that are not kept any more. */
  #archivedAt: number | undefined;

  constructor(chain: ChainToVerify, anchors: readonly Anchor[]) {
    this.#chain = chain;
    this.#anchors = anchors;
    const ours = chain.marks.findLast((mark) => detailOf(mark)?.kind === 'keyed');
    this.#since = ours?.seq ?? 0;
    this.tombstones = new Tombstones(chain.key, this.#since);
    const { start } = chain;
    this.#seq = start.seq;
    this.#link = start.link;
    this.#seal = start.seal;
    this.#sealed = Math.max(this.#since, start.seq);
    const { head } = chain;
    const named = [...anchors, ...chain.marks, ...(typeof head === 'string' ? [] : [head])];
    for (const { seq } of named) this.#links.set(seq, undefined);
    if (this.#links.has(0)) this.#links.set(0, genesis);
    if (this.#links.has(start.seq)) this.#links.set(start.seq, start.link);
  }

  get seq(): number {
    return this.#seq;
  }

  /** Takes the next row; a link that does not fit is a changed row, a seal that does not is one that was linked anew. */
  take(stored: StoredRow): AuditFault | undefined {
    const step = nextRow(this.#seq, this.#link, stored);
    if (!step.ok) return fault(this.#seq + 1, step.why, stored);
    // The origin carries no seal of its own. The row behind it does, and says where it is.
    if (this.#seq === this.#chain.start.seq && this.#seq > 0) {
      if (originIn(step.row.body) !== this.#seq)
        return fault(this.#seq, `${range(1, this.#seq)} are missing, and were never put into an archive`);
      this.#archivedAt = step.row.at;
    }
    const { seq, link, seal } = step.row;
    this.#seq = seq;
    this.#link = link;
    if (this.#links.has(seq)) this.#links.set(seq, link);
    if (stored.seal !== null && stored.seal !== undefined && seal === null) {
      return fault(seq, `row ${seq} carries no proper seal`, stored);
    }
    const forged = this.tombstones.take(step.row);
    if (forged) return fault(seq, forged, stored);
    if (seal === null) return undefined;
    const previous = this.#seal;
    this.#seal = seal;
    if (seq <= this.#since) return undefined;
    const from = this.#sealed + 1;
    this.#sealed = seq;
    if (sameSeal(seal, this.#chain.key.row(previous, seq, link))) return undefined;
    const why = `${range(from, seq)}, written together, do not carry the seal of the key: rewritten and linked anew`;
    return fault(from, why, stored);
  }

  /** What only shows once every row was seen. */
  end(): AuditFault | undefined {
    return (
      this.#cutTail() ?? this.#wrongMark() ?? this.#wrongHead() ?? this.#wrongAnchor() ?? this.#unsealed()
    );
  }

  #cutTail(): AuditFault | undefined {
    const { last } = this.#chain;
    return this.#seq < last ? fault(this.#seq + 1, `row ${this.#seq + 1} is missing`) : undefined;
  }

  #wrongMark(): AuditFault | undefined {
    const { marks, key } = this.#chain;
    const first = marks.findLastIndex((mark) => detailOf(mark)?.kind === 'keyed');
    for (const [index, mark] of marks.entries()) {
      const { n, seq } = mark;
      const previous = marks[index - 1]?.seal ?? genesis;
      const link = this.#links.get(seq);
      const why = `mark ${index + 1} of the journal, behind row ${seq}, was altered`;
      const isBefore = this.#isBefore(seq);
      if (n !== index + 1 || (link === undefined && !isBefore)) return fault(seq, why);
      if (link !== undefined && index >= first && !markHolds(key, previous, mark, link))
        return fault(seq, why);
      const detail = detailOf(mark);
      if (detail?.kind === 'unsealed' && !this.#answered(mark)) {
        return fault(seq, `at the start of ${isoOf(mark.at)} ${detail.why}: cut or rewritten before`);
      }
    }
    return undefined;
  }

  /** Of rows that are not kept any more nothing can be said. */
  #isBefore(seq: number): boolean {
    return seq < this.#chain.start.seq;
  }

  #wrongHead(): AuditFault | undefined {
    const { head, marks, key } = this.#chain;
    if (head === 'damaged') return fault(this.#seq, 'the head file is damaged');
    if (head === 'absent') return this.#seq > 0 ? fault(this.#seq, 'the head file is missing') : undefined;
    if (head.seq > this.#seq)
      return fault(this.#seq + 1, `${range(this.#seq + 1, head.seq)} missing at the end`);
    if (!this.#isBefore(head.seq) && this.#links.get(head.seq) !== head.link) {
      return fault(head.seq, `row ${head.seq} is not the one that the head file names`);
    }
    const why = headForgery(head, marks, key, this.#seq);
    return why === undefined ? undefined : fault(head.seq, `${why}: cut off or rewritten`);
  }

  #wrongAnchor(): AuditFault | undefined {
    for (const { seq, link, marks, at } of this.#anchors) {
      if (seq > this.#seq)
        return fault(this.#seq + 1, `the anchor of ${at} saw ${range(this.#seq + 1, seq)}, missing now`);
      if (this.#links.get(seq) !== link) {
        return fault(seq, `the anchor of ${at} saw another row ${seq}: it, or one before it, was rewritten`);
      }
      if (marks > this.#chain.marks.length)
        return fault(seq, `the anchor of ${at} saw a mark that was taken out`);
    }
    return undefined;
  }

  /** The end of the rows belongs to no commit. After a repair that is so by nature: its mark tells of it. */
  #unsealed(): AuditFault | undefined {
    if (this.#sealed >= this.#seq) return undefined;
    const repaired = this.#chain.marks.some(
      (mark) => mark.seq >= this.#seq && detailOf(mark)?.kind === 'repaired',
    );
    const from = this.#sealed + 1;
    return repaired ? undefined : fault(from, `${range(from, this.#seq)} without a seal at the end`);
  }

  /** An anchor that was taken after the mark: whoever keeps it knows of it. */
  #answered(mark: Mark): boolean {
    return this.#anchors.some(({ seq, marks }) => marks >= mark.n && seq >= mark.seq);
  }

  gaps(): AuditGap[] {
    return [...this.#removed(), ...this.#marked(), ...this.tombstones.gaps()];
  }

  #removed(): AuditGap[] {
    if (this.#archivedAt === undefined) return [];
    const to = this.#chain.start.seq;
    const anchored = this.#anchors.some(({ seq }) => seq >= to);
    const words = `${range(1, to)} were archived and are not kept any more`;
    return [{ kind: 'removed', from: 1, to, at: isoOf(this.#archivedAt) ?? '', anchored, words }];
  }

  #marked(): AuditGap[] {
    let from = 1;
    return this.#chain.marks.flatMap((mark): AuditGap[] => {
      const detail = detailOf(mark);
      const { seq } = mark;
      const place = { to: seq, at: isoOf(mark.at) ?? '', anchored: this.#answered(mark) };
      if (detail?.kind === 'repaired') {
        const { lost, file, why } = detail;
        const words = `the journal was damaged (${why}) and repaired: ${lost === 'unknown' ? 'an unknown number of rows' : `${lost} rows`} after row ${seq} are gone; the damaged file is ${file}`;
        return [{ kind: 'repaired', from: seq + 1, ...place, words }];
      }
      if (detail?.kind !== 'keyed') return [];
      const begin = from;
      from = seq + 1;
      if (seq === 0 || (seq < begin && detail.before === undefined)) return [];
      const words =
        detail.before === undefined
          ? `${range(begin, seq)} written before there was a key`
          : `${range(begin, seq)} sealed with another key (${detail.before})`;
      return [{ kind: detail.before === undefined ? 'unkeyed' : 'other_key', from: begin, ...place, words }];
    });
  }
}

/** Never rejects over what is wrong with the journal: that is the result. A lock, or a disk that fails, is thrown. */
export async function verifyChain(chain: ChainToVerify): Promise<AuditVerdict> {
  const { key, marks, last } = chain;
  const read = chain.anchors.map((line) => readAnchor(line, key));
  const known = read.filter((each) => typeof each !== 'string').sort((a, b) => a.seq - b.seq);
  // Those of rows that are not kept any more match nothing.
  const anchors = known.filter(({ seq }) => seq >= chain.start.seq);
  const walk = new Walk(chain, anchors);
  const wrong = unknownKey(marks, key, last) ?? (await firstFault(walk, chain)) ?? badAnchor(read);
  const gaps = walk.gaps();
  const isWhole = gaps.every(({ kind, anchored }) => anchored || kind === 'removed');
  const outcome = wrong ? 'failed' : isWhole ? 'proven' : 'partly';
  const matching = wrong ? [] : anchors.map(({ seq, at }) => ({ seq, at }));
  const { seq: rows, tombstones } = walk;
  const forgotten = tombstones.count;
  return { outcome, rows, forgotten, key: key.id, fault: wrong ?? null, gaps, anchors: matching };
}

async function firstFault(walk: Walk, { rows, last }: ChainToVerify): Promise<AuditFault | undefined> {
  try {
    for await (const row of rows) {
      if (walk.seq >= last) break;
      const wrong = walk.take(row);
      if (wrong) return wrong;
    }
  } catch (error) {
    if (!(error instanceof SegmentDamagedError) && sqliteTrouble(error) !== 'damaged') throw error;
    const why = error instanceof Error ? error.message : String(error);
    return fault(walk.seq + 1, `row ${walk.seq + 1} cannot be read: ${why}`);
  }
  return walk.end();
}

function badAnchor(read: readonly (Anchor | string)[]): AuditFault | undefined {
  const why = read.find((each) => typeof each === 'string');
  return typeof why === 'string' ? fault(0, `an anchor cannot be used: ${why}`) : undefined;
}

function unknownKey(marks: readonly Mark[], key: ChainKey, last: number): AuditFault | undefined {
  const used = keyInUse(marks);
  if (used === key.id) return undefined;
  if (used === undefined)
    return last === 0
      ? undefined
      : fault(1, 'the journal carries no seal: it is older than the key, or was replaced');
  return fault(
    last,
    `the journal is sealed with the key ${used}, and the one at hand is ${key.id}: nothing can be proven`,
  );
}
