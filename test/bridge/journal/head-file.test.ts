import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeHead,
  encodeHead,
  HeadFile,
  readHead,
  replaceHead,
} from '../../../src/bridge/journal/chain/head-file.ts';
import { tempDir } from './temp-dir.ts';

const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
const head = fc.record(
  {
    version: fc.integer({ min: 0, max: 999 }),
    seq: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    link: digits,
    sealed: fc.record({ marks: fc.integer({ min: 0, max: 999_999 }), seal: digits }),
  },
  { requiredKeys: ['version', 'seq', 'link'] },
);

test('a head is 104 bytes, 64 without a seal, and reads back as it was', () => {
  fc.assert(
    fc.property(head, (given) => {
      expect(encodeHead(given)).toHaveLength(given.sealed ? 104 : 64);
      expect(decodeHead(encodeHead(given))).toEqual(given);
    }),
  );
});

test('any changed byte makes a head unreadable', () => {
  fc.assert(
    fc.property(head, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, place, mask) => {
      const bytes = Buffer.from(encodeHead(given), 'latin1');
      const at = place % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ mask;
      expect(decodeHead(bytes.toString('latin1'))).toBeUndefined();
    }),
  );
});

test('a head file is overwritten in place; missing, short and long ones are told apart from good ones', () => {
  const path = join(tempDir(), 'head');
  expect(readHead(path)).toBe('absent');
  replaceHead(path, { version: 1, seq: 0, link: 'a'.repeat(32) });
  const file = new HeadFile(path);
  file.write({ version: 1, seq: 7, link: 'b'.repeat(32) });
  file.close();
  file.close();
  expect(readHead(path)).toEqual({ version: 1, seq: 7, link: 'b'.repeat(32) });
  const text = readFileSync(path, 'latin1');
  for (const damaged of ['', text.slice(0, 63), `${text}x`]) {
    writeFileSync(path, damaged);
    expect(readHead(path)).toBe('damaged');
  }
});
