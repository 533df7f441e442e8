// Reads one segment, frame by frame. A flipped byte is found before a row of its frame is handed out; that nothing was
// rewritten, cut off or added shows only at the end, so a reader believes what it has read when nothing was thrown.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { linkOf } from '../chain/hash-chain.ts';
import { type Frame, FrameFile } from './frame.ts';
import { SegmentDamagedError } from './segment-error.ts';
import {
  type ChainPlace,
  type Footer,
  readFooterLine,
  readHeaderLine,
  readRowLine,
  type SealedRow,
} from './segment-lines.ts';
import { readSegmentName, segmentName } from './segment-name.ts';

/**
 * Where the chain stood before the first row.
 * @throws SegmentDamagedError, UnsafePathError, or what the file system throws
 */
export function readBegin(path: string): ChainPlace {
  const file = new FrameFile(path);
  try {
    return beginOf(path, file.next());
  } finally {
    file.close();
  }
}

/**
 * Its rows, oldest first, links computed anew. Between frames others get their turn.
 * @throws SegmentDamagedError, UnsafePathError, or what the file system throws
 */
export async function* readSegment(path: string): AsyncGenerator<SealedRow, void, void> {
  for (const rows of segmentFrames(path)) {
    yield* rows;
    await nextTurn();
  }
}

/**
 * As `readSegment`, frame by frame, for a start that has to wait for it.
 * @throws SegmentDamagedError, UnsafePathError, or what the file system throws
 */
export function* segmentFrames(path: string): Generator<SealedRow[], void, void> {
  const file = new FrameFile(path);
  try {
    const hash = createHash('sha256');
    const first = file.next();
    const walk = new Walk(path, beginOf(path, first));
    for (let frame = first; frame; frame = file.next()) {
      if (frame.isLast) return walk.end(footerOf(path, frame), hash.digest('hex'));
      hash.update(frame.bytes);
      if (frame !== first) yield linesOf(path, frame).map((line) => walk.take(line));
    }
  } finally {
    file.close();
  }
}

function beginOf(path: string, frame: Frame | undefined): ChainPlace {
  const named = readSegmentName(path);
  if (!named) throw new SegmentDamagedError(path, 'it does not have the name of a segment');
  if (!frame) throw new SegmentDamagedError(path, 'it is empty');
  const [line, ...others] = linesOf(path, frame);
  const begin = readHeaderLine(line);
  if (!begin || others.length > 0) throw new SegmentDamagedError(path, 'it has no header that we know');
  if (begin.seq + 1 === named.first) return begin;
  throw new SegmentDamagedError(path, `it begins with row ${begin.seq + 1}`);
}

function footerOf(path: string, frame: Frame): Footer {
  const [line, ...others] = linesOf(path, frame);
  const footer = others.length === 0 && frame.isStored ? readFooterLine(line) : undefined;
  if (!footer) throw new SegmentDamagedError(path, 'its footer is missing, or is not as it was written');
  return footer;
}

/** A frame holds whole lines, and JSON no raw newline. */
function linesOf(path: string, { text }: Frame): string[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new SegmentDamagedError(path, 'a line has no end');
  return lines;
}

class Walk {
  readonly #path: string;
  readonly #first: number;
  #seq: number;
  #link: string;
  #seal: string;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(path: string, { seq, link, seal }: ChainPlace) {
    this.#path = path;
    this.#first = seq + 1;
    this.#seq = seq;
    this.#link = link;
    this.#seal = seal;
  }

  take(line: string): SealedRow {
    const row = readRowLine(line);
    const seq = this.#seq + 1;
    if (row?.seq !== seq) {
      throw this.#damage(readFooterLine(line) ? 'something stands behind its end' : `row ${seq} is missing`);
    }
    this.#seq = seq;
    this.#link = linkOf(this.#link, row);
    this.#seal = row.seal ?? this.#seal;
    this.#newest = Math.max(this.#newest, row.at);
    return { ...row, link: this.#link };
  }

  /** The last link stands for every row, so the last one of a changed chain is another. */
  end(footer: Footer, sha256: string): void {
    const { last, link, seal, rows, newest } = footer;
    if (last !== this.#seq || rows !== last - this.#first + 1) {
      throw this.#damage(`it ends with row ${this.#seq}, and should have ${rows} rows up to ${last}`);
    }
    if (link !== this.#link) throw this.#damage('its rows do not match the hash at its end');
    if (seal !== this.#seal) throw this.#damage('its seals do not match the one at its end');
    if (sha256 !== footer.sha256) throw this.#damage('its bytes do not match the sum at its end');
    const name = segmentName({ first: this.#first, last, newest });
    if (newest === this.#newest && this.#path.endsWith(name)) return;
    throw this.#damage(`its name is not ${segmentName({ first: this.#first, last, newest: this.#newest })}`);
  }

  #damage(why: string): SegmentDamagedError {
    return new SegmentDamagedError(this.#path, why);
  }
}
