// The demo leaves nothing behind, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';
import { Tui } from '../support/tui.ts';

/** Processes whose environment names this folder: of the demo, its hosts and its simulated Claude Codes. */
const processesOf = (folder: string): number[] =>
  readdirSync('/proc').flatMap((pid) =>
    /^\d+$/.test(pid) && environment(pid).includes(folder) ? [Number(pid)] : [],
  );

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** A temporary directory of its own, where the path of no socket gets too long. */
class Temp implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'temp-'));

  /** All but Node's own cache of code, which every program shares. */
  get names(): string[] {
    return readdirSync(this.path).filter((name) => name !== 'node-compile-cache');
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The host of a Claude Code that was just starting waits for a minute, of any other for a second. */
const killedMs = 90_000;

/** A plain demo that has said its first answer. */
async function begun(home: Home, temp: Temp) {
  const [file, ...args] = home.argv('demo');
  const child = spawn(file, args, {
    env: home.env({ TMPDIR: temp.path }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const demo = { child, said: '', ended: once(child, 'exit') };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    demo.said += text;
  });
  await until('the first answer', () => /^claude: Good morning/m.test(demo.said));
  return demo;
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s in the middle of it', async (signal) => {
  await using home = new Home();
  using temp = new Temp();
  const demo = await begun(home, temp);
  expect(temp.names).toHaveLength(1);
  demo.child.kill(signal);
  // Once more, as somebody does who is in a hurry.
  demo.child.kill(signal);
  expect(await demo.ended).toEqual([130, null]);
  expect(temp.names).toEqual([]);
  expect(demo.said).toMatch(/Nothing of the demo stays\.\n$/);
  await until('the end of every process', () => processesOf(temp.path).length === 0);
});

test('one that is killed leaves no process, and its folder to the next one, which leaves one that lives', async () => {
  await using home = new Home();
  using temp = new Temp();
  const killed = await begun(home, temp);
  const left = temp.names;
  killed.child.kill('SIGKILL');
  await killed.ended;
  await until('the end of every process', () => processesOf(temp.path).length === 0, killedMs);
  expect(temp.names).toEqual(left);
  const living = await begun(home, temp);
  // It does not get to its end meanwhile.
  living.child.kill('SIGSTOP');
  expect(temp.names).toHaveLength(1);
  expect(temp.names).not.toEqual(left);
  const [kept] = temp.names;
  const { code } = await home.run(['demo'], { env: { TMPDIR: temp.path } });
  expect(code).toBe(0);
  expect(temp.names).toEqual([kept]);
  living.child.kill('SIGCONT');
  expect(await living.ended).toEqual([0, null]);
  expect(temp.names).toEqual([]);
});

describe('the screen of --attach', () => {
  const seat = (home: Home, temp: Temp) =>
    new Tui(['demo', '--attach'], home.env({ TMPDIR: temp.path, TZ: 'UTC' }), 80, 24);

  test('shows chats at work, a key answers what one asks, and q leaves nothing', async () => {
    await using home = new Home();
    using temp = new Temp();
    await using tui = seat(home, temp);
    await tui.shows(/^ synthesis demo {2}● live/);
    await tui.shows(/telegram direct 4242 +▲ asking/);
    await tui.shows(/discord channel 100200 +◆ working/);
    tui.type('p');
    await tui.shows('│ sh release.sh 1.4.0');
    tui.type('a');
    await tui.shows('Allow it this once?');
    tui.type('\u0019');
    await tui.shows(/\w{5} allowed/);
    await tui.shows('dry run: nothing was published');
    tui.type('q');
    expect(await tui.exited()).toBe(0);
    expect([tui.buffer, tui.cursor.shown]).toEqual(['normal', true]);
    expect(tui.screen.replace(/\s+/g, ' ')).toContain(
      'nothing of it stays. With your own Claude Code: `synthesis init`',
    );
    expect(temp.names).toEqual([]);
    await until('the end of every process', () => processesOf(temp.path).length === 0);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends it, and leaves nothing', async (signal) => {
    await using home = new Home();
    using temp = new Temp();
    await using tui = seat(home, temp);
    await tui.shows('◆ working');
    tui.signal(signal);
    expect(await tui.exited()).toBe(130);
    expect(tui.buffer).toBe('normal');
    expect(temp.names).toEqual([]);
    await until('the end of every process', () => processesOf(temp.path).length === 0);
  });

  test('of one that is killed no process stays, and no folder after the next demo', async () => {
    await using home = new Home();
    using temp = new Temp();
    await using tui = seat(home, temp);
    await tui.shows(/telegram direct 4242 +▲ asking/);
    tui.signal('SIGKILL');
    await tui.exited();
    await until('the end of every process', () => processesOf(temp.path).length === 0, killedMs);
    expect(temp.names).toHaveLength(1);
    expect((await home.run(['demo'], { env: { TMPDIR: temp.path } })).code).toBe(0);
    expect(temp.names).toEqual([]);
  });

  test('without a terminal it says what it needs, and what does without', async () => {
    await using home = new Home();
    using temp = new Temp();
    const { code, stderr } = await home.run(['demo', '--attach'], { env: { TMPDIR: temp.path } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs a terminal.*`synthesis demo`/s);
    expect(temp.names).toEqual([]);
  });
});
