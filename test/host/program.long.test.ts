import { expect, test } from 'vitest';
import { descendantsOf, lookAt } from '../../src/base/process/process-table.ts';
import { Program } from '../../src/host/program/program.ts';
import type { HostExit } from '../../src/protocol/wire/host.ts';
import { until } from '../support/until.ts';

function run(script: string, before: string[] = []): { program: Program; told: (string | HostExit)[] } {
  const told: (string | HostExit)[] = [];
  const program = new Program({
    spec: {
      argv: [
        before[0] ?? '/bin/sh',
        ...before.slice(1),
        ...(before.length > 0 ? ['/bin/sh'] : []),
        '-c',
        script,
      ],
      ...(before.length > 0 && { contained: true }),
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      cols: 80,
      rows: 24,
    },
    output: (_at, bytes) => told.push(bytes.toString('latin1')),
    sweep: () => [],
    exited: (exit) => told.push(exit),
  });
  return { program, told };
}

test.each([10, 4_000])(
  'of a program that ends while it is paused %i bytes of output come, and then its exit',
  async (length) => {
    const { program, told } = run(
      `stty raw; printf ready; head -c 1 >/dev/null; head -c ${length} /dev/zero; exit 3`,
    );
    await until('ready', () => told.join('').includes('ready'));
    program.pause();
    program.type(Buffer.from('g'));
    await program.exited;
    expect(told.pop()).toEqual({ code: 3 });
    expect(told.join('').split('\0').length - 1).toBe(length);
  },
);

test('what a program leaves behind on its terminal does not hold back its exit', async () => {
  const { program, told } = run('trap "" HUP; sleep 2 & printf "bye"; exit 4');
  await program.exited;
  expect(told).toEqual(['bye', { code: 4 }]);
});

test('bytes that are no UTF-8, and characters that are cut, come as they are', async () => {
  const { program, told } = run('stty raw -echo; printf ready; head -c 6 | od -An -tx1; printf "\\377\\303"');
  await until('ready', () => told.join('') === 'ready');
  program.type(Buffer.from([0xff, 0xe4, 0xbd]));
  program.type(Buffer.from([0xa0, 0x01, 0xc3]));
  await program.exited;
  expect(told.slice(0, -1).join('')).toMatch(/ff e4 bd a0 01 c3\n\xff\xc3$/);
});

test('a program that does not read stops nobody, and can be ended', async () => {
  const { program, told } = run('stty raw -echo; printf ready; exec sleep 60');
  await until('ready', () => told.join('') === 'ready');
  program.type(Buffer.alloc(1_000_000));
  program.kill('SIGKILL');
  await program.exited;
  expect(told.at(-1)).toEqual({ signal: 9 });
});

test('a checkpoint that is older than the newest, or ahead of the output, is not taken', async () => {
  const { program } = run('printf 123456');
  await program.exited;
  const kept = (at: number, name: string) => {
    program.keep({ at, cols: 80, rows: 24, bytes: Buffer.from(name) });
    const sent: string[] = [];
    program.sendSnapshot((frame, bytes) => sent.push(`${JSON.stringify(frame)} ${bytes}`));
    program.sendOutput((frame, bytes) => sent.push(`${JSON.stringify(frame)} ${bytes}`));
    return sent;
  };
  const snapshot = ['{"type":"snapshot","at":4,"cols":80,"rows":24} four', '{"type":"output","at":4} 56'];
  expect(kept(7, 'seven')).toEqual(['{"type":"output","at":0} 123456']);
  expect(kept(4, 'four')).toEqual(snapshot);
  expect(kept(3, 'three')).toEqual(snapshot);
});

/** As a contained Claude Code is started. */
const walls = [
  ...['/usr/bin/bwrap', '--unshare-user', '--unshare-pid', '--die-with-parent', '--ro-bind', '/', '/'],
  ...['--dev', '/dev', '--proc', '/proc', '--'],
];

test('a signal reaches a contained program itself, which ends in its own way', async () => {
  const { program, told } = run(
    'trap "printf bye; exit 7" TERM; printf ready; while :; do sleep 0.1; done',
    walls,
  );
  await until('ready', () => told.join('').includes('ready'));
  program.kill('SIGTERM', true);
  await program.exited;
  expect(told.join('')).toMatch(/ready[\s\S]*bye/);
  expect(told.at(-1)).toEqual({ code: 7 });
});

test('one that takes no signal is killed with everything it contains', async () => {
  const { program, told } = run(
    'trap "" TERM HUP; setsid sleep 4242 & printf ready; while :; do sleep 0.1; done',
    walls,
  );
  await until('ready', () => told.join('').includes('ready'));
  program.kill('SIGTERM', true);
  program.kill('SIGHUP', true);
  expect(descendantsOf(program.pid).length).toBeGreaterThan(2);
  const below = descendantsOf(program.pid);
  program.kill('SIGKILL', true);
  await program.exited;
  await until('their end', () => below.every((pid) => lookAt(pid) === undefined));
});

test('a contained program hears of a new size', async () => {
  const { program, told } = run('trap "stty size" WINCH; printf ready; while :; do sleep 0.05; done', walls);
  await until('ready', () => told.join('').includes('ready'));
  program.resize(99, 33);
  await until('the size', () => told.join('').includes('33 99'));
  program.kill('SIGKILL', true);
  await program.exited;
});
