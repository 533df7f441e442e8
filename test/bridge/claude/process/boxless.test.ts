import { expect, test } from 'vitest';
import { Boxless } from '../../../../src/bridge/claude/process/boxless.ts';
import { StartScreen } from './start-screen.ts';

/** @returns after how many ms it was said that there is no box; undefined when it was not within `ms` */
async function saidAfter(run: StartScreen, ms: number, meanwhile = (_now: number) => {}) {
  const boxless = new Boxless(run);
  let said: number | undefined;
  void run.watch
    .until(() => boxless.look(), ms)
    .then((value) => {
      if (value) said = run.clock.now();
    });
  for (let now = 0; now < ms && said === undefined; now += 50) {
    meanwhile(now);
    run.clock.advance(50);
    await Promise.resolve();
    await Promise.resolve();
  }
  boxless.close();
  return said;
}

test('a start without a box is noticed once the screen has stood still', async () => {
  const said = await saidAfter(new StartScreen(), 5000);
  expect(said).toBeGreaterThanOrEqual(700);
  expect(said).toBeLessThan(900);
});

test('what is drawn meanwhile begins the time anew, but not for ever', async () => {
  const until = (ms: number) => {
    const run = new StartScreen();
    return saidAfter(run, 10_000, (now) => {
      run.text = now < ms ? `${now}` : 'done';
      run.redraw();
    });
  };
  expect(await until(1000)).toBeGreaterThanOrEqual(1700);
  expect(await until(1000)).toBeLessThan(2000);
  expect(await until(10_000)).toBeLessThan(4200);
});

test.each<[string, (run: StartScreen) => Partial<StartScreen>]>([
  ['the session has not begun', () => ({ sessionStarted: false })],
  ['a box is there', () => ({ view: { box: '' } })],
  ['nothing is drawn', () => ({ draw: () => ['', ''] })],
  ['a dialog is there', () => ({ dialog: { id: 'unknown', failure: 'start_dialog', words: '' } })],
  ['one is drawn that is known', () => ({ draw: () => [' 1. Yes, I trust this folder', ' 2. No, exit'] })],
  ['something looks like a menu', () => ({ draw: () => ['Which one?', ' › 1. This', '   2. That'] })],
  ['something names its keys', () => ({ draw: () => ['A question', 'Enter to confirm'] })],
])('nothing is noticed while %s', async (_title, change) => {
  const run = new StartScreen();
  Object.assign(run, change(run));
  expect(await saidAfter(run, 9000)).toBeUndefined();
});

test('an earlier message on the screen is no menu', async () => {
  const run = new StartScreen();
  run.draw = () => ['❯ good morning', '', '● hello', '', '│ > │'];
  expect(await saidAfter(run, 9000)).toBeLessThan(900);
});

test('tools that do not come are waited for as long as for a box that is known', async () => {
  const run = new StartScreen();
  run.toolsListed = false;
  expect(await saidAfter(run, 20_000)).toBeGreaterThanOrEqual(10_700);
});
