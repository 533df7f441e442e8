// A checksum for each part of a database file, written when the file is at rest: SQLite has none for its pages, and a
// damaged list of words finds too little without an error. The rows of a WAL have checksums of SQLite's own.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { readPrivate, writePrivate } from '../../base/files/private-file.ts';
import { IndexDamage } from './index-damage.ts';

/** Bytes that one checksum is for. */
const partBytes = 1024 * 1024;

const Seal = z.object({ size: z.number().int(), parts: z.array(z.number().int()), own: z.number().int() });

const ownSum = (size: number, parts: readonly number[]): number => crc32(JSON.stringify([size, parts]));

function sums(database: string): { size: number; parts: number[] } {
  const file = openSync(database, 'r');
  try {
    const { size } = fstatSync(file);
    const parts: number[] = [];
    const part = Buffer.allocUnsafe(partBytes);
    for (let at = 0; at < size; at += partBytes) {
      const read = readSync(file, part, 0, partBytes, at);
      parts.push(crc32(part.subarray(0, read)));
    }
    return { size, parts };
  } finally {
    closeSync(file);
  }
}

/** Says what `database` holds now. Nothing may write to it meanwhile. */
export function seal(database: string, sealFile: string): void {
  const { size, parts } = sums(database);
  writePrivate(sealFile, JSON.stringify({ size, parts, own: ownSum(size, parts) }), { sync: true });
}

/**
 * @returns false when there is no seal: whoever wrote last was interrupted
 * @throws IndexDamage when the file is not what was sealed
 */
export function checkSeal(database: string, sealFile: string): boolean {
  const text = readPrivate(sealFile);
  if (text === undefined) return false;
  const sealed = readSeal(text);
  const { size, parts } = sums(database);
  if (size === sealed.size && parts.every((sum, at) => sum === sealed.parts[at])) return true;
  // An indexer may have come between the two looks.
  if (readPrivate(sealFile) !== text) return false;
  throw new IndexDamage('its file is not what was written');
}

function readSeal(text: string): z.infer<typeof Seal> {
  try {
    const sealed = Seal.parse(JSON.parse(text));
    if (sealed.own === ownSum(sealed.size, sealed.parts)) return sealed;
  } catch {
    // Said below.
  }
  throw new IndexDamage('the file with its checksums is damaged');
}
