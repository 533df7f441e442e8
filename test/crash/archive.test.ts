import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { archivedRows } from '../../crash/history/archive.ts';

/** Stored as it is, so that four bytes in it may look like the beginning of another frame. */
const stored = (bytes: Buffer) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: -131_072 } });
const packed = (text: string) => zstdCompressSync(text);

test('rows of every frame of every segment are read, and nothing else of it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    expect(archivedRows(dir)).toEqual([]);
    mkdirSync(join(dir, 'archive'));
    const decoy = Buffer.concat([
      Buffer.from('a line with '),
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      Buffer.from(' in it\n'),
    ]);
    const first = [
      packed('{"first":1}\n[1,5,"\\"a\\"","{}"]\n'),
      stored(decoy),
      packed('[2,6,"\\"a\\"","{}"]\n'),
    ];
    writeFileSync(join(dir, 'archive', '1-2.zst'), Buffer.concat(first));
    writeFileSync(join(dir, 'archive', '3-3.zst'), packed('[3,7,"\\"a\\"","{}"]\n{"sum":""}\n'));
    writeFileSync(join(dir, 'archive', '4.part'), 'not whole');
    expect(archivedRows(dir).map(([seq]) => seq)).toEqual([1, 2, 3]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
