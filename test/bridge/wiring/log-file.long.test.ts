import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UnsafePathError } from '../../../src/base/files/own-path.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { LogFile } from '../../../src/bridge/wiring/log/log-file.ts';
import { linkToFile } from '../../support/planted.ts';
import { until } from '../../support/until.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-file-'));
  path = join(dir, 'bridge.log');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = (options: { bytes?: number; files?: number } = {}) =>
  new LogFile({ path, bytes: 1000, files: 3, clock: systemClock, missing: () => 'missing\n', ...options });
const read = (name = 'bridge.log') => readFileSync(join(dir, name), 'utf8');
const lineOf = (n: number) => `${String(n).padStart(99, '0')}\n`;

/** Each line is on disk, and perhaps put aside, before the next one comes. */
async function writeSlowly(log: LogFile, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    log.write(lineOf(n));
    await until(`line ${n}`, () => readdirSync(dir).some((name) => read(name).endsWith(lineOf(n))));
  }
}
/** The numbers of the lines in a file. */
const numbersIn = (name?: string) => read(name).trimEnd().split('\n').map(Number);
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('a log', () => {
  test('puts its file aside when it is large, keeps a few of them for the user alone, and loses no line of these', async () => {
    const log = open();
    await writeSlowly(log, 0, 45);
    await log.close();
    expect(readdirSync(dir).sort()).toEqual(['bridge.log', 'bridge.log.1', 'bridge.log.2']);
    const kept = ['bridge.log.2', 'bridge.log.1', 'bridge.log'].flatMap(numbersIn);
    expect(kept).toEqual(upTo(45 - kept.length, 45));
    for (const name of ['bridge.log.2', 'bridge.log.1'])
      expect(read(name).length).toBeGreaterThanOrEqual(1000);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  test('goes on in the file that is there, closes it to others, and forgets what is more than it should keep', async () => {
    writeFileSync(path, lineOf(0).repeat(9), { mode: 0o644 });
    chmodSync(path, 0o644);
    for (const name of ['bridge.log.1', 'bridge.log.3', 'bridge.log.12', 'bridge.log.old', 'up.log.7'])
      writeFileSync(join(dir, name), name);
    const log = open();
    expect(readdirSync(dir).sort()).toEqual(['bridge.log', 'bridge.log.1', 'bridge.log.old', 'up.log.7']);
    await writeSlowly(log, 1, 5);
    await log.close();
    expect([...numbersIn('bridge.log.1'), ...numbersIn()].slice(8)).toEqual([0, 1, 2, 3, 4]);
    expect(read('bridge.log.2')).toBe('bridge.log.1');
    expect(statSync(join(dir, 'bridge.log.1')).mode & 0o777).toBe(0o600);
  });

  test('of one file begins it anew', async () => {
    const log = open({ files: 1 });
    const { ino } = statSync(path);
    for (const n of upTo(0, 15)) log.write(lineOf(n));
    await until('a new file', () => statSync(path).ino !== ino);
    log.write('new\n');
    await log.close();
    expect([readdirSync(dir), read()]).toEqual([['bridge.log'], 'new\n']);
  });

  test('is not written through a link, and no link in the place of an older file is followed', async () => {
    const kept = linkToFile(path);
    expect(() => open()).toThrow(UnsafePathError);
    rmSync(path);
    const older = linkToFile(`${path}.1`);
    const log = open({ files: 2 });
    await writeSlowly(log, 0, 15);
    await log.close();
    expect([kept(), older(), existsSync(`${path}.2`)]).toEqual([true, true, false]);
    expect(numbersIn('bridge.log.1').slice(0, 10)).toEqual(upTo(0, 10));
  });

  test('has everything on disk when it is closed, and takes nothing after that', async () => {
    const log = open({ bytes: 1e9 });
    for (let n = 0; n < 1000; n += 1) log.write(lineOf(n));
    await log.close();
    log.write('late\n');
    await log.close();
    expect(read()).toBe(upTo(0, 1000).map(lineOf).join(''));
  });

  test.skipIf(process.platform !== 'linux').each(['by itself', 'with the next line'])(
    'goes on %s when a full disk has room again, and says how many lines are missing, and where',
    (goesOn) => {
      const program = join(import.meta.dirname, 'log-on-full-disk.ts');
      const shell = 'ulimit -S -f 200; exec "$0" "$@"';
      const output = execFileSync('sh', ['-c', shell, process.execPath, program, path, goesOn], {
        encoding: 'utf8',
      });
      const { full } = JSON.parse(output) as { full: number };
      expect(full).toBeLessThanOrEqual(200 * 1024);
      const lines = read().trimEnd().split('\n');
      const gap = lines.findIndex((line) => line.startsWith('missing'));
      expect(lines.slice(0, gap).every((line, at) => line.startsWith(`${at} xxx`))).toBe(true);
      // The newest line is not among those that are missing.
      const newest = goesOn === 'by itself' ? 4999 : 5000;
      expect(lines[gap]).toBe(`missing ${newest - gap} EFBIG`);
      expect(lines.slice(gap + 1).map((line) => line.slice(0, 5))).toEqual([
        goesOn === 'by itself' ? '4999 ' : 'after',
        'last',
      ]);
    },
  );
});
