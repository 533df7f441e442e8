// A program of its own for each: what standard output is, is decided before it begins.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';

const source = JSON.stringify(new URL('../../../src/cli/output/standard-streams.ts', import.meta.url));
const argsFor = (body: string) => [
  '--input-type=module',
  '-e',
  `import { columnsOf, isAllWritten, outliveReaders, write } from ${source}; outliveReaders(); ${body}`,
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

test('a pipe that waits for nobody gets all of it, also what it has no room for', async () => {
  const fifo = join(dir, 'fifo');
  spawnSync('mkfifo', [fifo]);
  // Whoever has the same open file has its O_NONBLOCK, too.
  const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn(
    process.execPath,
    argsFor(`write('stdout', 'x'.repeat(300_000)); write('stdout', 'y');`),
    {
      stdio: ['ignore', fd, 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  let text = '';
  const part = Buffer.alloc(65_536);
  await until('the last letter', () => {
    try {
      text += part.toString('latin1', 0, readSync(fd, part));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    return text.endsWith('y');
  });
  expect(text.length).toBe(300_001);
  expect(await ended).toEqual([0, null]);
  closeSync(fd);
});

test('a reader that has left is no failure, and a disk that takes no more is one', () => {
  const body = `process.exitCode = 3; write('stdout', 'x'.repeat(300_000)); write('stderr', 'done');`;
  const program = `${process.execPath} ${argsFor(body)
    .map((each) => `'${each.replaceAll("'", `'\\''`)}'`)
    .join(' ')}`;
  const left = spawnSync('bash', ['-c', `set -o pipefail; ${program} | true`], { encoding: 'utf8' });
  expect(left).toMatchObject({ stderr: 'done', status: 3 });
  const small = join(dir, 'small');
  const full = spawnSync('bash', ['-c', `ulimit -f 1; trap '' XFSZ; ${program} > ${small}`], {
    encoding: 'utf8',
  });
  expect(full.stderr).toContain('EFBIG');
  expect(full.status).toBe(1);
});
