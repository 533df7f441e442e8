// Room on the disk that is taken before it is needed. While the disk is full, what has happened and cannot be refused
// (a verdict, the end of a turn) is written over it, so that it is durable and can take effect.
import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { openPrivate } from '../../../base/files/private-file.ts';
import { type ChainKey, sameSeal } from '../chain/chain-key.ts';
import { genesis, type UnlinkedRow } from '../chain/hash-chain.ts';

/** Rows of one spill, in order; `base` is the link of the row before them. */
export interface Spill {
  base: string;
  rows: UnlinkedRow[];
}

const sync = promisify(fdatasync);

/** Bytes: some thousand rows, more than the turns that run can need when no new one may begin. */
const size = 2 * 1024 * 1024;
const pieceBytes = 64 * 1024;

export class Reserve {
  readonly #fd: number;
  readonly #key: ChainKey;
  #at = 0;
  /** Behind this byte there is nothing but zeros. What an earlier process left is not looked at: it may be all of the file. */
  #used: number;
  #seal = genesis;

  private constructor(fd: number, key: ChainKey) {
    this.#fd = fd;
    this.#key = key;
    this.#used = Math.max(size, fstatSync(fd).size);
  }

  /**
   * What lies in it stays there until `clear`. `isWhole` is false when something in it is not as it was written.
   * @throws UnsafePathError, or what the file system throws: there may be no room for it
   */
  static open(path: string, key: ChainKey): { reserve: Reserve; found: Spill[]; isWhole: boolean } {
    const fd = openPrivate(path, constants.O_RDWR | constants.O_CREAT);
    try {
      const reserve = new Reserve(fd, key);
      const missing = size - fstatSync(fd).size;
      if (missing > 0) {
        // Written, not only allocated: a hole would need room when it is filled.
        writeSync(fd, Buffer.alloc(missing), 0, missing, size - missing);
        fdatasyncSync(fd);
      }
      return { reserve, ...reserve.#read() };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** One after the other. @returns whether they are on disk; false when there is no room left here either */
  async add(spill: Spill): Promise<boolean> {
    try {
      if (!this.#put(spill)) return false;
      await sync(this.#fd);
      return true;
    } catch {
      return false;
    }
  }

  /** Puts this one, which is on disk when this returns, in the place of all that lies in it. @throws as `open` */
  replace(spill: Spill): void {
    this.clear();
    this.#put(spill);
    fdatasyncSync(this.#fd);
  }

  #put(spill: Spill): boolean {
    const text = JSON.stringify(spill);
    const seal = this.#key.reserve(this.#seal, text);
    // The end of the line is also the end of what holds: whatever lay behind it belongs to an earlier time.
    const line = Buffer.from(`${seal} ${text}\n\0`);
    if (this.#at + line.length > size) return false;
    writeSync(this.#fd, line, 0, line.length, this.#at);
    this.#at += line.length - 1;
    this.#used = Math.max(this.#used, this.#at);
    this.#seal = seal;
    return true;
  }

  /** Everything in it lies in the journal by now. */
  clear(): void {
    if (this.#at === 0) return;
    this.#at = 0;
    this.#seal = genesis;
    writeSync(this.#fd, '\0', 0);
  }

  /** Overwrites what lay in it at an earlier time. Does nothing while something lies in it. */
  async wipe(): Promise<void> {
    if (this.#at > 0 || this.#used === 0) return;
    writeSync(this.#fd, Buffer.alloc(this.#used), 0, this.#used, 0);
    this.#used = 0;
    await sync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** The last line may be torn: nobody was told that it is there. */
  #read(): { found: Spill[]; isWhole: boolean } {
    const found: Spill[] = [];
    const lines = this.#held().toString().split('\n');
    for (const line of lines.slice(0, -1)) {
      const [seal, text = ''] = [line.slice(0, genesis.length), line.slice(genesis.length + 1)];
      const expected = this.#key.reserve(this.#seal, text);
      if (!sameSeal(seal, expected)) return { found, isWhole: false };
      found.push(JSON.parse(text) as Spill);
      this.#seal = expected;
      this.#at += Buffer.byteLength(line) + 1;
    }
    return { found, isWhole: true };
  }

  /** What holds: the bytes up to the first that is zero. Mostly there are none, and the rest need not be read. */
  #held(): Buffer {
    const parts: Buffer[] = [];
    for (let at = 0; at < size; at += pieceBytes) {
      const piece = Buffer.alloc(pieceBytes);
      const read = piece.subarray(0, readSync(this.#fd, piece, 0, pieceBytes, at));
      const end = read.indexOf(0);
      parts.push(end < 0 ? read : read.subarray(0, end));
      if (end >= 0 || read.length < pieceBytes) break;
    }
    return Buffer.concat(parts);
  }
}
