// A program of its own for each: what standard output is, is decided before it begins.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';

const source = JSON.stringify(new URL('../../../src/cli/output/standard-streams.ts', import.meta.url));
const argsFor = (body: string) => [
  '--input-type=module',
  '-e',
  `import { columnsOf, isAllWritten, outliveReaders, outputTrouble, write } from ${source}; outliveReaders(); ${body}`,
];
const streams = `process.moduleLoadList.includes('NativeModule net')`;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'streams-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const run = (body: string, stdio: ('pipe' | 'ignore' | number)[] = ['ignore', 'pipe', 'pipe']) =>
  spawnSync(process.execPath, argsFor(body), { stdio, encoding: 'utf8' });

test('a pipe is written to without the stream, and in order with it', () => {
  const body = `write('stdout', 'a'); columnsOf('stdout'); const had = [${streams}, isAllWritten()];
    process.stdout.write('b'); write('stdout', 'c'); write('stderr', JSON.stringify([had, isAllWritten()]));`;
  expect(run(body)).toMatchObject({ stdout: 'abc', stderr: '[[false,true],false]', status: 0 });
});

test('so is a file', () => {
  const file = join(dir, 'out');
  const fd = openSync(file, 'w');
  const { stderr } = run(`write('stdout', 'é\\n'); write('stderr', String(${streams}));`, [
    'ignore',
    fd,
    'pipe',
  ]);
  closeSync(fd);
  expect([readFileSync(file, 'utf8'), stderr]).toEqual(['é\n', 'false']);
});

describe('a pipe whose reader does not read', () => {
  /** Opens standard output as a pipe that waits for nobody; Node itself makes one that it hands on wait. */
  const unwaiting = `use Fcntl; my $fifo = shift;
    sysopen(my $pipe, $fifo, O_RDWR | O_NONBLOCK) or die; open(STDOUT, '>&', $pipe) or die; exec @ARGV;`;
  let fifo: string;
  let fd: number;
  beforeEach(() => {
    fifo = join(dir, 'fifo');
    spawnSync('mkfifo', [fifo]);
    fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => closeSync(fd));

  test('keeps nobody waiting', async () => {
    const body = `for (let n = 0; n < 300; n += 1) write('stdout', 'x'.repeat(1000)); write('stderr', 'on');`;
    const child = spawn(process.execPath, argsFor(body), { stdio: ['ignore', fd, 'pipe'] });
    expect(String(await once(child.stderr as Readable, 'data'))).toBe('on');
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('gets all of it in the end, also where it is full and waits for nobody', async () => {
    const full = fill();
    const body = `write('stdout', 'x'.repeat(9000)); write('stdout', 'y'); write('stderr', 'on');`;
    const child = spawn('perl', ['-e', unwaiting, fifo, process.execPath, ...argsFor(body)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    expect(String(await once(child.stderr, 'data'))).toBe('on');
    let text = '';
    await until('the last letter', () => {
      text += read();
      return text.endsWith('y');
    });
    expect(text.length).toBe(full + 9001);
    expect(await ended).toEqual([0, null]);
  });

  /** @returns bytes that it took */
  function fill(): number {
    for (let bytes = 0; ; bytes += 1024)
      if (unlessFull(() => writeSync(fd, '.'.repeat(1024))) === undefined) return bytes;
  }
  const part = Buffer.alloc(65_536);
  const read = () => part.toString('latin1', 0, unlessFull(() => readSync(fd, part)) ?? 0);
  function unlessFull(act: () => number): number | undefined {
    try {
      return act();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      return undefined;
    }
  }
});

test('a reader that has left is no trouble, a disk that takes no more is; both end nothing', () => {
  const body = `process.exitCode = 3; for (let n = 0; n < 30; n += 1) write('stdout', 'x'.repeat(1000));
    process.once('exit', () => write('stderr', 'trouble: ' + outputTrouble()?.message));`;
  const program = `${process.execPath} ${argsFor(body)
    .map((each) => `'${each.replaceAll("'", `'\\''`)}'`)
    .join(' ')}`;
  const bash = (script: string) => spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(bash(`set -o pipefail; ${program} | true`)).toMatchObject({
    stderr: 'trouble: undefined',
    status: 3,
  });
  const file = join(dir, 'file');
  // The first lines, and all of them: without the stream, and with it.
  for (const kilobytes of [1, 20]) {
    const full = bash(`ulimit -f ${kilobytes}; trap '' XFSZ; ${program} > ${file}`);
    expect(full.stderr).toMatch(/^trouble: Not all of the output was taken \(EFBIG: /);
    expect(full.status).toBe(3);
  }
});
