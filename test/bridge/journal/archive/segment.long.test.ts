// What is written comes back, whatever it says; and nothing half written has the name of a segment.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FrameFile } from '../../../../src/bridge/journal/archive/frame.ts';
import { segmentName } from '../../../../src/bridge/journal/archive/segment-name.ts';
import { frameSize, SegmentWriter } from '../../../../src/bridge/journal/archive/segment-writer.ts';
import {
  archiveFolder,
  listSegments,
  removeSegment,
} from '../../../../src/bridge/journal/archive/segments.ts';
import { genesis } from '../../../../src/bridge/journal/chain/hash-chain.ts';
import { folder, linkToFile } from '../../../support/planted.ts';
import { seeded } from '../../../support/seeded.ts';
import { tempDir } from '../temp-dir.ts';
import {
  archived,
  archiveOf,
  noon,
  readAll,
  sealedRows,
  start,
  texts,
  threeSegments,
} from './archived-rows.ts';

const hostile = [
  '',
  '\ud800',
  'a\udc00b',
  'two\nlines\r\n\u2028 and \u0000',
  '😀'.repeat(50),
  '"],["',
  '\\n\\',
  'é̂\u202e',
  'x'.repeat(1024 * 1024),
  '😀'.repeat(300_000),
];

/** The same in every run. */
function hostileTexts(count: number): string[] {
  const random = seeded(22);
  const pick = () => hostile[Math.floor(random() * (hostile.length - 2))] ?? '';
  return Array.from({ length: count }, (_, n) =>
    n % 500 === 7 ? (hostile.at(-1 - (n % 2)) ?? '') : pick() + pick(),
  );
}

/** All frames, as `zstd -dc` reads them. */
function unpacked(path: string): string {
  const file = new FrameFile(path);
  let text = '';
  for (let frame = file.next(); frame; frame = file.next())
    text += zstdDecompressSync(frame.bytes).toString();
  file.close();
  return text;
}

test('3,000 rows with hostile texts come back as they were', async () => {
  const rows = sealedRows(hostileTexts(3000), { commit: 7 });
  const { dir, segments } = await archiveOf(rows);
  expect(listSegments(dir)).toEqual(segments);
  expect(await readAll(segments[0]?.path ?? '')).toEqual(rows);
});

test('a segment says in plain lines what it holds, and only its owner can read it', async () => {
  const rows = sealedRows(texts(1200));
  const { dir, segments } = await archiveOf(rows);
  const [segment] = segments;
  const path = segment?.path ?? '';
  expect(basename(path)).toBe('0000000000000001-0000000000001200-20261122T120001Z.zst');
  expect(segment).toMatchObject({ first: 1, last: 1200, newest: noon + 1000 });
  const lines = unpacked(path).trimEnd().split('\n');
  expect(lines).toHaveLength(1202);
  expect(lines[0]).toBe(
    `{"synthesis":"journal","version":1,"first":1,"link":"${genesis}","seal":"${genesis}"}`,
  );
  expect(JSON.parse(lines[3] ?? '')).toEqual([3, noon + 2, '"s2"', rows[2]?.body, rows[2]?.seal]);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ last: 1200, rows: 1200, link: rows.at(-1)?.link });
  expect(lstatSync(dir).mode & 0o777).toBe(0o700);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});

test('a reader holds one frame, and a frame one part of the text or one row', async () => {
  const { segments } = await archiveOf(
    sealedRows(Array.from({ length: 40 }, (_, n) => `${n}`.repeat(100_000))),
  );
  const file = new FrameFile(segments[0]?.path ?? '');
  const held: number[] = [];
  for (let frame = file.next(); frame; frame = file.next()) held.push(frame.text.length);
  file.close();
  expect(held.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(6 * frameSize);
  expect(Math.max(...held)).toBeLessThan(frameSize + 250_000);
});

test('a killed writer leaves a part, which is no segment, and which the next one removes', async () => {
  const dir = archiveFolder(tempDir());
  const rows = sealedRows(texts(20));
  const killed = SegmentWriter.begin(dir, { ...start, first: 1 });
  killed.add(rows);
  writeFileSync(join(dir, '0000000000000900.part'), 'of an earlier one');
  expect(readdirSync(dir)).toHaveLength(2);
  expect(listSegments(dir)).toEqual([]);
  const segment = await archived(dir, rows);
  expect(readdirSync(dir)).toEqual([basename(segment.path)]);
  expect(await readAll(segment.path)).toEqual(rows);
});

test('a dropped writer leaves nothing, and takes nothing more', async () => {
  const dir = archiveFolder(tempDir());
  const writer = SegmentWriter.begin(dir, { ...start, first: 1 });
  writer.add(sealedRows(texts(3)));
  writer.drop();
  writer.drop();
  expect(readdirSync(dir)).toEqual([]);
  expect(() => writer.add([])).toThrow('the segment is closed');
  await expect(writer.finish()).rejects.toThrow('the segment is closed');
});

test.each([
  [
    'a row that is left out',
    (rows: ReturnType<typeof sealedRows>) => rows.toSpliced(4, 1),
    'row 5 is missing',
  ],
  [
    'a row that was changed',
    (rows: ReturnType<typeof sealedRows>) => rows.map((row) => (row.seq === 6 ? { ...row, at: 1 } : row)),
    'row 6 does not match its hash',
  ],
  ['no row', () => [], 'a segment needs a row'],
])('%s is refused, and nothing stays', async (_what, change, words) => {
  const dir = archiveFolder(tempDir());
  await expect(archived(dir, change(sealedRows(texts(10))))).rejects.toThrow(words);
  expect(readdirSync(dir)).toEqual([]);
});

test('a disk that refuses the name leaves no part', async () => {
  const dir = archiveFolder(tempDir());
  const rows = sealedRows(texts(10));
  const { path } = await archived(dir, rows);
  rmSync(path);
  folder(path);
  writeFileSync(join(path, 'file'), '');
  await expect(archived(dir, rows)).rejects.toThrow();
  expect(readdirSync(dir)).toEqual([basename(path)]);
});

test('a disk that is full leaves no part', () => {
  const dir = archiveFolder(tempDir());
  const module = join(import.meta.dirname, '../../../../src/bridge/journal/archive/segment-writer.ts');
  const script = `
    const { SegmentWriter } = await import(process.argv[1]);
    const writer = SegmentWriter.begin(process.argv[2], JSON.parse(process.argv[3]));
    try { writer.add(JSON.parse(process.argv[4])); await writer.finish(); } catch ({ code }) { console.log(code); }`;
  const random = seeded(9);
  const rows = sealedRows([Array.from({ length: 3000 }, () => random().toString(36)).join()]);
  const begin = JSON.stringify({ ...start, first: 1 });
  const shell = ['-c', 'ulimit -S -f 20; exec "$0" "$@"', process.execPath];
  const node = ['--input-type=module', '-e', script, '--', module, dir, begin];
  const said = execFileSync('sh', [...shell, ...node, JSON.stringify(rows)], {
    encoding: 'utf8',
  });
  expect(said).toBe('EFBIG\n');
  expect(readdirSync(dir)).toEqual([]);
});

test('what else lies in the folder is left alone', async () => {
  const { dir, segments } = await threeSegments();
  const names = ['notes.txt', '1-30.zst', '0000000000000091-0000000000000120-20260231T000000Z.zst'];
  for (const name of names) writeFileSync(join(dir, name), '');
  mkdirSync(join(dir, 'folder'));
  symlinkSync('/', join(dir, 'link'));
  expect(listSegments(dir)).toEqual(segments);
  if (segments[0]) removeSegment(dir, segments[0]);
  expect(listSegments(dir)).toEqual(segments.slice(1));
  expect(names.filter((name) => existsSync(join(dir, name)))).toEqual(names);
});

test('a link under the name of a segment, or in the place of the folder, is not followed', async () => {
  const dir = archiveFolder(tempDir());
  mkdirSync(dir);
  const path = join(dir, segmentName({ first: 1, last: 2, newest: noon }));
  const untouched = linkToFile(path);
  expect(() => listSegments(dir)).toThrow('is a symbolic link');
  await expect(readAll(path)).rejects.toThrow('is a symbolic link');
  expect(untouched()).toBe(true);
  const other = archiveFolder(tempDir());
  symlinkSync(dir, other);
  expect(() => listSegments(other)).toThrow('is a symbolic link');
  expect(() => SegmentWriter.begin(other, { ...start, first: 1 })).toThrow('is a symbolic link');
});

test('there is no archive before there is one', () => {
  expect(listSegments(archiveFolder(tempDir()))).toEqual([]);
});
