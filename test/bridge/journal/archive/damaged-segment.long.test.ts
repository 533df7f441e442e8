// Whatever a disk does to a segment is found, and said in words.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressFrame, FrameFile, storeFrame } from '../../../../src/bridge/journal/archive/frame.ts';
import { SegmentDamagedError } from '../../../../src/bridge/journal/archive/segment-error.ts';
import { segmentName } from '../../../../src/bridge/journal/archive/segment-name.ts';
import { seeded } from '../../../support/seeded.ts';
import { archiveOf, noon, readAll, sealedRows, texts } from './archived-rows.ts';

/** 1,501 rows in four frames. */
async function sample(...more: string[]): Promise<{ path: string; bytes: Buffer }> {
  const path = (await archiveOf(sealedRows([...texts(1501 - more.length), ...more]))).segments[0]?.path ?? '';
  return { path, bytes: readFileSync(path) };
}

function framesOf(path: string): { bytes: Buffer; text: string }[] {
  const file = new FrameFile(path);
  const frames: { bytes: Buffer; text: string }[] = [];
  for (let frame = file.next(); frame; frame = file.next()) frames.push(frame);
  file.close();
  return frames;
}

/** Reads a segment with these bytes. */
async function damageOf(path: string, bytes: Uint8Array): Promise<SegmentDamagedError | undefined> {
  writeFileSync(path, bytes);
  try {
    await readAll(path);
    return undefined;
  } catch (error) {
    if (error instanceof SegmentDamagedError) return error;
    throw error;
  }
}

test('200 flipped bytes are all found', async () => {
  const { path, bytes } = await sample();
  const random = seeded(200);
  for (let n = 0; n < 200; n += 1) {
    const damaged = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(random() * 255));
    expect((await damageOf(path, damaged))?.message, `byte ${at}`).toMatch(/^segment 1-1501 is damaged: /);
  }
}, 60_000);

/** Flips every bit of some bytes, one by one. */
async function flipEach(path: string, bytes: Buffer, from: number, to: number): Promise<void> {
  for (let bit = from * 8; bit < to * 8; bit += 1) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(await damageOf(path, damaged), `bit ${bit}`).toBeDefined();
  }
}

test('every flipped bit of the footer is found: nothing else answers for it', async () => {
  const path = (await archiveOf(sealedRows(texts(1)))).segments[0]?.path ?? '';
  const bytes = readFileSync(path);
  const footer = framesOf(path).at(-1)?.bytes.length ?? 0;
  expect(footer).toBeGreaterThan(200);
  await flipEach(path, bytes, bytes.length - footer, bytes.length);
}, 60_000);

test('every flipped bit in the head of a frame is found, also where it changes no row', async () => {
  // Longer than the window of zstd, which is then part of the head.
  const path = (await archiveOf(sealedRows(['so long '.repeat(300_000), 'short']))).segments[0]?.path ?? '';
  const bytes = readFileSync(path);
  const header = framesOf(path)[0]?.bytes.length ?? 0;
  await flipEach(path, bytes, 0, 8);
  await flipEach(path, bytes, header, header + 12);
}, 60_000);

test('truncated at 100 places, and between all frames, it is found', async () => {
  const { path, bytes } = await sample();
  const random = seeded(100);
  const lengths = Array.from({ length: 100 }, () => Math.floor(random() * bytes.length));
  let end = 0;
  for (const frame of framesOf(path).slice(0, -1)) {
    end += frame.bytes.length;
    lengths.push(end);
  }
  for (const length of [0, bytes.length - 1, ...lengths]) {
    expect(await damageOf(path, bytes.subarray(0, length)), `${length} bytes`).toBeDefined();
  }
}, 60_000);

test('each kind of damage has its words', async () => {
  const { path } = await sample();
  const frames = framesOf(path);
  const [header, ...others] = frames.map(({ bytes }) => bytes);
  const footer = others.pop() ?? Buffer.alloc(0);
  const head = header ?? Buffer.alloc(0);
  const unstored = framesOf(path).at(-1)?.text ?? '';
  const cases: [words: string, bytes: Buffer[]][] = [
    ['it is empty', []],
    ['its footer is missing, or is not as it was written', [head, ...others]],
    ['it ends in the middle of a frame', [head, ...others, footer.subarray(0, -1)]],
    ['something stands behind its end', [head, ...others, footer, Buffer.from('\n'.repeat(20))]],
    ['something stands behind its end', [head, ...others, footer, compressFrame('')]],
    ['something stands behind its end', [head, ...others, footer, footer]],
    ['its footer is missing', [head, ...others, compressFrame(unstored)]],
    ['row 1 is missing', [head, ...others.slice(1), footer]],
    ['it ends with row', [head, ...others.slice(0, -1), footer]],
    ['it has no header that we know', [...others, footer]],
    ['no frame of ours begins', [zstdCompressSync('without a sum'), ...others, footer]],
  ];
  for (const [words, bytes] of cases) {
    expect((await damageOf(path, Buffer.concat(bytes)))?.why, words).toContain(words);
  }
});

test('rows that were changed and packed anew do not fit the hash at the end', async () => {
  const { path } = await sample();
  const [header, rows, ...others] = framesOf(path);
  const changed = compressFrame((rows?.text ?? '').replace('message 3', 'message 4'));
  const parts = [header?.bytes ?? changed, changed, ...others.map(({ bytes }) => bytes)];
  expect((await damageOf(path, Buffer.concat(parts)))?.why).toBe('its rows do not match the hash at its end');
});

test.each([
  ['last', 1500, 'it ends with row 1501'],
  ['rows', 1500, 'it ends with row 1501'],
  ['link', '1'.repeat(32), 'its rows do not match the hash at its end'],
  ['seal', '1'.repeat(32), 'its seals do not match the one at its end'],
  ['sha256', '1'.repeat(64), 'its bytes do not match the sum at its end'],
  ['newest', noon + 1501, 'its name is not'],
  ['more', 1, 'its footer is missing, or is not as it was written'],
])('a footer with another %s is found', async (field, value, words) => {
  const { path } = await sample();
  const frames = framesOf(path);
  const footer = { ...JSON.parse(frames.pop()?.text ?? ''), [field]: value };
  const parts = [...frames.map(({ bytes }) => bytes), storeFrame(`${JSON.stringify(footer)}\n`)];
  expect((await damageOf(path, Buffer.concat(parts)))?.why).toContain(words);
});

test('a segment under the name of another is found', async () => {
  const { path } = await sample();
  for (const [named, words] of [
    [{ first: 2, last: 1501, newest: noon + 1500 }, 'it begins with row 1'],
    [{ first: 1, last: 1500, newest: noon + 1500 }, 'its name is not'],
    [{ first: 1, last: 1501, newest: noon + 9000 }, 'its name is not'],
  ] as const) {
    const other = join(dirname(path), segmentName(named));
    renameSync(path, other);
    await expect(readAll(other), words).rejects.toThrow(words);
    renameSync(other, path);
  }
  await readAll(path);
});
