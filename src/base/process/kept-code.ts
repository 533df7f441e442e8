// A program that is loaded with what V8 made of it in a run before. Node's own compile cache holds a file as it was before
// any of its functions ran, so that each of them is compiled anew in every process; this one holds those that a start needs.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Until a program has done what belongs to its start, milliseconds. V8 forgets later what only that needed. */
const startMs = 2_000;

interface Part {
  exports: object;
  script: Script;
  /** Where to keep what V8 made of it; undefined when that is there already. */
  keptAt: string | undefined;
  source: Buffer;
}

/** A file of a kept program: the build wraps it, because a long text that is put together at a start is there twice. */
export const asPart = (code: string): string =>
  `(function(exports,require,module,__filename,__dirname,importModule){${code}\n})`;

/**
 * Files in CommonJS, each as {@link asPart} has it, that require one another by relative paths; `importModule` is
 * `import()` for whatever is not one of them.
 */
export class KeptProgram {
  readonly #dir: string | undefined;
  readonly #ending: string;
  readonly #parts = new Map<string, Part>();

  /**
   * @param dir that nobody else can write in, and that belongs to this version of Node; without one nothing is kept
   * @param ending of what is kept: who needs different functions of a file keeps them apart
   */
  constructor(dir: string | undefined, ending = 'kept') {
    this.#dir = dir;
    this.#ending = ending;
  }

  /** @returns what the file exports. @throws what Node throws for a file that is not there, or that is no JavaScript */
  load(file: string): object {
    const known = this.#parts.get(file);
    if (known) return known.exports;
    const source = readFileSync(file);
    const place = this.#dir && join(this.#dir, `${basename(file)}.${this.#ending}`);
    const cachedData = place && kept(place, source);
    const script = new Script(source.toString(), { filename: file, ...(cachedData && { cachedData }) });
    const isKept = cachedData !== undefined && script.cachedDataRejected === false;
    const part: Part = { exports: {}, script, keptAt: isKept ? undefined : place, source };
    this.#parts.set(file, part);
    const folder = dirname(file);
    const near = (id: string) => (id.startsWith('.') ? this.load(join(folder, id)) : createRequire(file)(id));
    try {
      script.runInThisContext()(part.exports, near, part, file, folder, (id: string) => import(id));
    } catch (error) {
      // Whoever asks again is told again, and not given half of it.
      this.#parts.delete(file);
      throw error;
    }
    return part.exports;
  }

  /**
   * Keeps it when a start is surely over, or at the end of the process if that comes first.
   * @param behind called then, unless the process ends
   */
  keepLater(behind = () => {}): void {
    const keep = () => this.keep();
    const settle = () => {
      keep();
      behind();
    };
    setTimeout(settle, startMs).unref();
    process.once('exit', keep);
  }

  /** Keeps what is not kept yet, with the functions that have run by now. What cannot be written is not kept. */
  keep(): void {
    for (const part of this.#parts.values()) {
      const { keptAt, script, source } = part;
      if (keptAt === undefined) continue;
      part.keptAt = undefined;
      const code = script.createCachedData();
      const draft = `${keptAt}.${process.pid}`;
      try {
        writeFileSync(draft, Buffer.concat([source, fill(source), code, code]), { mode: 0o600 });
        renameSync(draft, keptAt);
      } catch {
        // The next start takes some milliseconds more. On a full disk there may be a part of it.
        rmSync(draft, { force: true });
      }
    }
  }
}

/** Up to where V8 takes code as it lies there: from any other place it copies it. */
const fill = (source: Buffer): Buffer => Buffer.alloc(-source.length & 7);

/**
 * V8 looks at the length of a source alone, and takes any code for its own. So the source is kept, too, and the code
 * twice: to compare them takes less time than to load what counts checksums.
 */
function kept(place: string, source: Buffer): Buffer | undefined {
  try {
    const bytes = readFileSync(place);
    const begin = source.length + fill(source).length;
    const middle = (begin + bytes.length) / 2;
    const [code, again] = [bytes.subarray(begin, middle), bytes.subarray(middle)];
    return bytes.subarray(0, source.length).equals(source) && code.equals(again) ? code : undefined;
  } catch {
    return undefined;
  }
}
