// Rows that the bridge moved out of the journal: JSON lines in frames of zstd, one behind the other in a file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

/** What a frame begins with. */
const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** As it stands there: seq, at, and session and event as JSON. */
export type ArchivedRow = [seq: number, at: number, session: string, body: string];

/** Node reads one frame, and says nothing of those behind it. */
function* framesOf(bytes: Buffer): Generator<string> {
  let start = 0;
  let end = 0;
  while (start < bytes.length) {
    const next = bytes.indexOf(magic, Math.max(end, start) + 1);
    end = next < 0 ? bytes.length : next;
    try {
      yield zstdDecompressSync(bytes.subarray(start, end)).toString();
      start = end;
    } catch (error) {
      // The same four bytes may stand in the middle of a frame.
      if (end === bytes.length) throw error;
    }
  }
}

/** In order; none when nothing was archived. */
export function archivedRows(stateDir: string): ArchivedRow[] {
  const folder = join(stateDir, 'archive');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.zst'))
    .sort()
    .flatMap((name) => [...framesOf(readFileSync(join(folder, name)))].join('').split('\n'))
    .filter((line) => line.startsWith('['))
    .map((line) => JSON.parse(line));
}
