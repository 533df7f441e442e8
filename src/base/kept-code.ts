// A program that is loaded with what V8 made of it in a run before. Node's own compile cache holds a file as it was before
// any of its functions ran, so that each of them is compiled anew in every process; this one holds those that a start needs.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

interface Part {
  exports: object;
  script: Script;
  /** Where to keep what V8 made of it; undefined when that is there already. */
  keptAt: string | undefined;
  crc: number;
}

/** Files in CommonJS that require one another by relative paths; `importModule` is `import()` for whatever is not one of them. */
export class KeptProgram {
  readonly #dir: string | undefined;
  readonly #parts = new Map<string, Part>();

  /** @param dir that nobody else can write in, and that belongs to this version of Node; without one nothing is kept */
  constructor(dir: string | undefined) {
    this.#dir = dir;
  }

  /** @returns what the file exports. @throws what Node throws for a file that is not there, or that is no JavaScript */
  load(file: string): object {
    const known = this.#parts.get(file);
    if (known) return known.exports;
    const bytes = readFileSync(file);
    const crc = crc32(bytes);
    const place = this.#dir && join(this.#dir, `${basename(file)}.kept`);
    const cachedData = place && kept(place, crc);
    const source = `(function(exports,require,module,__filename,__dirname,importModule){${bytes.toString()}\n})`;
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    const isKept = cachedData !== undefined && script.cachedDataRejected === false;
    const part: Part = { exports: {}, script, keptAt: isKept ? undefined : place, crc };
    this.#parts.set(file, part);
    const [folder, foreign] = [dirname(file), createRequire(file)];
    const near = (id: string) => (id.startsWith('.') ? this.load(join(folder, id)) : foreign(id));
    try {
      script.runInThisContext()(part.exports, near, part, file, folder, (id: string) => import(id));
    } catch (error) {
      // Whoever asks again is told again, and not given half of it.
      this.#parts.delete(file);
      throw error;
    }
    return part.exports;
  }

  /** Keeps what is not kept yet, with the functions that have run by now. What cannot be written is not kept. */
  keep(): void {
    for (const part of this.#parts.values()) {
      const { keptAt, script, crc } = part;
      if (keptAt === undefined) continue;
      part.keptAt = undefined;
      const code = script.createCachedData();
      const draft = `${keptAt}.${process.pid}`;
      try {
        writeFileSync(draft, Buffer.concat([sum(code, crc), code]), { mode: 0o600 });
        renameSync(draft, keptAt);
      } catch {
        // The next start takes some milliseconds more. On a full disk there may be a part of it.
        rmSync(draft, { force: true });
      }
    }
  }
}

/** V8 looks at the length of a source alone, and takes any code for its own. */
function sum(code: Buffer, crc: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(crc32(code, crc));
  return bytes;
}

function kept(place: string, crc: number): Buffer | undefined {
  try {
    const bytes = readFileSync(place);
    const code = bytes.subarray(4);
    return sum(code, crc).equals(bytes.subarray(0, 4)) ? code : undefined;
  } catch {
    return undefined;
  }
}
