// A Claude Code that draws nothing while it is said to work.
import { expect, test } from 'vitest';
import { watchStalls } from '../../../../src/bridge/claude/delivery/stall-watch.ts';
import { WatchedRun } from '../watched-run.ts';

class WorkingRun extends WatchedRun {
  /** What it draws when its size changes, or it is sent on. */
  onResize = () => {};
  onSignal = () => {};

  constructor() {
    super();
    this.terminal.resize = () => this.onResize();
    this.terminal.kill = () => this.onSignal();
    this.working();
    this.terminal.draw('◐ works');
    void watchStalls(this.run, this.tell);
  }

  draw = (): void => this.terminal.draw('◐ works');
}

test('one that hangs is told, its turn ends in words, and it is well again when it draws', async () => {
  const run = new WorkingRun();
  await run.pass(24_000);
  expect([run.ending(), run.health.size]).toEqual(['running', 0]);
  await run.pass(3_000);
  expect([run.ending(), ...run.health.keys()]).toEqual(['stalled', 'stalled']);
  expect(run.run.stalled).toBe(true);
  run.draw();
  await run.pass(100);
  expect([run.run.stalled, run.health.size]).toEqual([false, 0]);
});

test.each([
  ['draws when its size changes', (run: WorkingRun) => (run.onResize = run.draw)],
  ['draws when it is sent on', (run: WorkingRun) => (run.onSignal = run.draw)],
  ['tells of itself', (run: WorkingRun) => (run.onSignal = () => run.hook('PreCompact'))],
])('one whose picture stands and that %s works', async (_how, arrange) => {
  const run = new WorkingRun();
  arrange(run);
  await run.pass(120_000);
  expect([run.ending(), run.health.size]).toEqual(['running', 0]);
});

test('one that asks a person, or has nothing to do, may stand still', async () => {
  const asking = new WorkingRun();
  asking.hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  const resting = new WorkingRun();
  resting.hook('Stop', { last_assistant_message: '' });
  resting.terminal.draw('✳ rests');
  for (const each of [asking, resting]) await each.pass(120_000);
  expect([asking.health.size, resting.health.size]).toEqual([0, 0]);
});

test('one that is said to work on what nobody sent is told, too', async () => {
  const run = new WorkingRun();
  run.hook('Stop', { last_assistant_message: '' });
  run.draw();
  await run.pass(30_000);
  expect([...run.health.keys()]).toEqual(['stalled']);
});
