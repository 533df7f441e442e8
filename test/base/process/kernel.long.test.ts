// What the kernel is asked for, on the real one: a process of its own for each, as it cannot be taken back.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const src = resolve(import.meta.dirname, '../../../src');
const kernel = join(src, 'base/process/kernel.ts');
const offspring = join(src, 'host/program/offspring.ts');
const nobody = 65_534;

/** Starts a program that imports from the sources. It ends with the test. */
function start(code: string, uid?: number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', SECRET: 'in the environment' },
    ...(uid !== undefined && process.getuid?.() === 0 && { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, next: async () => String((await lines.next()).value) };
}

/** What another process of the same user can read of one. */
function readable(pid: number): string[] {
  const code = `for f in environ mem fd/0 cwd; do ( exec <"/proc/${pid}/$f" ) 2>/dev/null && echo "$f"; done; ls /proc/${pid}/fd >/dev/null 2>&1 && echo fds; exit 0`;
  const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  return execFileSync('sh', ['-c', code], { encoding: 'utf8', ...as })
    .split('\n')
    .filter(Boolean);
}

test('a process that hides its memory cannot be looked into by its own user; one that does not can', async () => {
  const code = (hide: string) =>
    `const { loadKernel } = await import(${JSON.stringify(kernel)}); console.log(${hide}); setInterval(() => {}, 60000);`;
  const open = start(code('true'), nobody);
  const hidden = start(code('loadKernel().hideMemory()'), nobody);
  expect([await open.next(), await hidden.next()]).toEqual(['true', 'true']);
  expect(readable(open.child.pid ?? 0)).toEqual(expect.arrayContaining(['environ', 'fds']));
  expect(readable(hidden.child.pid ?? 0)).toEqual([]);
});

test('200 orphans come to the reaper, however they detached; it ends all of them and leaves no zombie', async () => {
  const reaper = start(`
    const { loadKernel } = await import(${JSON.stringify(kernel)});
    const { Offspring } = await import(${JSON.stringify(offspring)});
    const { commandOf, descendantsOf } = await import(${JSON.stringify(join(src, 'base/process/process-table.ts'))});
    const { spawn } = await import('node:child_process');
    const all = new Offspring('m.r1', loadKernel());
    const sh = spawn('sh', ['-c', 'for i in $(seq 100); do (env -i setsid --fork sleep 300); (setsid sh -c "sleep 300 & exit" &); done'], { stdio: 'ignore' });
    // Node itself waits for it.
    all.program = sh.pid;
    sh.on('exit', () => {
      const look = () => {
        const sleepers = descendantsOf(process.pid).filter((pid) => commandOf({ pid, name: '' }) === 'sleep');
        if (sleepers.length < 200) return setTimeout(look, 20);
        console.log(sleepers.length, all.end().filter(({ command }) => command === 'sleep').length);
        const rest = () => descendantsOf(process.pid).length === 0 ? console.log('none is left') : setTimeout(rest, 20);
        rest();
      };
      look();
    });
    setTimeout(() => process.exit(3), 60000);`);
  expect(await reaper.next()).toBe('200 200');
  expect(await reaper.next()).toBe('none is left');
  reaper.child.kill('SIGKILL');
  await once(reaper.child, 'exit');
});

test('what forks faster than it is looked for is ended, and so is what carries the mark elsewhere', async () => {
  const marked = spawn('sleep', ['300'], {
    env: { PATH: process.env.PATH ?? '', SYNTHESIS_RUN: 'm.r7' },
    detached: true,
  });
  onTestFinished(() => void marked.kill('SIGKILL'));
  // Each forks another in a session of its own and ends, for a minute at most.
  const racer = `use POSIX; my $until = time + 60; while (time < $until) { my $pid = fork; exit 0 if $pid; POSIX::setsid(); }`;
  const reaper = start(`
    const { loadKernel } = await import(${JSON.stringify(kernel)});
    const { Offspring } = await import(${JSON.stringify(offspring)});
    const { commandOf, descendantsOf } = await import(${JSON.stringify(join(src, 'base/process/process-table.ts'))});
    const { spawn } = await import('node:child_process');
    const all = new Offspring('m.r7', loadKernel());
    const started = [];
    for (let n = 0; n < 4; n += 1) started.push(spawn('perl', ['-e', ${JSON.stringify(racer)}], { stdio: 'ignore', env: {} }).pid);
    // At work: one that was not started here.
    const isRacing = () => descendantsOf(process.pid).some((pid) => !started.includes(pid) && commandOf({ pid, name: '' }) === 'perl');
    const race = () => {
      if (!isRacing()) return setTimeout(race, 5);
      const ended = all.end().map(({ command }) => command);
      console.log(ended.includes('perl'), ended.includes('sleep'));
      let quiet = 0;
      const rest = () => {
        quiet = descendantsOf(process.pid).length === 0 ? quiet + 1 : 0;
        quiet > 20 ? console.log('none is left') : setTimeout(rest, 10);
      };
      rest();
    };
    race();
    setTimeout(() => process.exit(3), 59000);`);
  expect(await reaper.next()).toBe('true true');
  expect(await reaper.next()).toBe('none is left');
});
