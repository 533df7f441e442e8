// Writes a segment beside the journal. Until it is whole and on disk it has another name, so that a segment with a
// proper name is one that can be relied on. The caller adds some rows per turn of the event loop, and whatever happens in
// between, the part is either finished, dropped, or removed by the next one that begins.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { folderSynced } from '../../../base/files/folder-synced.ts';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { nextRow, type StoredRow } from '../chain/hash-chain.ts';
import { compressFrame, storeFrame } from './frame.ts';
import { type ChainPlace, footerLine, headerLine, rowLine } from './segment-lines.ts';
import { namedTime, partName, type Segment, segmentName } from './segment-name.ts';
import { removeParts } from './segments.ts';

const sync = promisify(fsync);

/** Characters in a frame: what a reader holds at once, unless a single row is longer. */
export const frameSize = 1024 * 1024;

export class SegmentWriter {
  readonly #dir: string;
  readonly #part: string;
  readonly #first: number;
  readonly #hash = createHash('sha256');
  #fd: number | undefined;
  #seq: number;
  #link: string;
  #seal: string;
  #newest = Number.NEGATIVE_INFINITY;
  #bytes = 0;

  private constructor(dir: string, { first, link, seal }: { first: number; link: string; seal: string }) {
    this.#dir = dir;
    this.#part = join(dir, partName(first));
    this.#first = first;
    this.#seq = first - 1;
    this.#link = link;
    this.#seal = seal;
    this.#fd = openSync(this.#part, 'wx', 0o600);
    this.#guard(() => this.#write(compressFrame(headerLine({ seq: this.#seq, link, seal }))));
  }

  /**
   * Removes what a killed bridge left half done, and begins anew.
   * @param dir the folder of the archive; it is made when missing
   * @param before `first` is the seq of the first row; the link before it, and the newest seal up to there
   * @throws UnsafePathError, or what the file system throws
   */
  static begin(dir: string, before: { first: number; link: string; seal: string }): SegmentWriter {
    const path = claimDirectory(dir);
    removeParts(path);
    return new SegmentWriter(path, before);
  }

  /** The row that was added last. */
  get end(): ChainPlace {
    return { seq: this.#seq, link: this.#link, seal: this.#seal };
  }

  /**
   * Adds the rows that follow; some hundred at once, as nothing else runs meanwhile. The part is dropped when it throws.
   * @throws when one does not follow the row before it, or what the file system throws
   */
  add(rows: Iterable<StoredRow>): void {
    this.#guard(() => {
      let text = '';
      for (const stored of rows) {
        text += this.#take(stored);
        if (text.length < frameSize) continue;
        this.#write(compressFrame(text));
        text = '';
      }
      if (text !== '') this.#write(compressFrame(text));
    });
  }

  /**
   * On disk, under its final name, when this resolves. The part is dropped when it rejects.
   * @throws when no row was added, or what the file system throws
   */
  async finish(): Promise<Segment> {
    const [first, last, newest] = [this.#first, this.#seq, this.#newest];
    const fd = this.#guard((file) => {
      if (last < first) throw new Error('a segment needs a row');
      const rows = last - first + 1;
      const sha256 = this.#hash.copy().digest('hex');
      this.#write(storeFrame(footerLine({ last, link: this.#link, seal: this.#seal, rows, newest, sha256 })));
      return file;
    });
    // From here on nobody else closes or drops it.
    this.#fd = undefined;
    const path = join(this.#dir, segmentName({ first, last, newest }));
    const replaces = existsSync(path);
    try {
      await sync(fd).finally(() => closeSync(fd));
      renameSync(this.#part, path);
    } catch (error) {
      rmSync(this.#part, { force: true });
      throw error;
    }
    await this.#nameIt(path, replaces);
    return { first, last, newest: namedTime(newest), path, bytes: this.#bytes };
  }

  /** Removes the part. Does nothing after `finish`. */
  drop(): void {
    if (this.#fd === undefined) return;
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #take(stored: StoredRow): string {
    const step = nextRow(this.#seq, this.#link, stored);
    if (!step.ok) throw new Error(`cannot be archived: ${step.why}`);
    const { row } = step;
    this.#seq = row.seq;
    this.#link = row.link;
    this.#seal = row.seal ?? this.#seal;
    this.#newest = Math.max(this.#newest, row.at);
    return rowLine(row);
  }

  #write(frame: Buffer): void {
    if (this.#fd === undefined) throw new Error('the segment is closed');
    writeFileSync(this.#fd, frame);
    this.#hash.update(frame);
    this.#bytes += frame.length;
  }

  /** The folder itself may be new. A segment whose name may be lost in a power cut is not one. */
  async #nameIt(path: string, replaces: boolean): Promise<void> {
    try {
      await folderSynced(this.#dir);
      await folderSynced(dirname(this.#dir));
    } catch (error) {
      // One that took the place of another is as good as that one was.
      if (!replaces) rmSync(path, { force: true });
      throw error;
    }
  }

  #guard<T>(work: (fd: number) => T): T {
    if (this.#fd === undefined) throw new Error('the segment is closed');
    try {
      return work(this.#fd);
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }
}
