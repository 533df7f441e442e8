// Claude Code is killed before it saw a message: nobody may be told that it worked on it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const of = (bridge: RunningBridge, type: string) => bridge.lines.filter((line) => line.event === type);
const pidOf = (bridge: RunningBridge, start: number) =>
  until(`start ${start}`, () => of(bridge, 'agent.ready')[start - 1]?.pid as number | undefined, 20_000);

/** What Claude was given, from the transcripts it keeps. */
function given(home: Home): string[] {
  const folder = join(home.path, '.claude/projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"user"'));
}

test('a message that was to be typed is given to a new one, once', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask('s', 'apple');
  const pid = await pidOf(bridge, 1);
  // It takes nothing any more, but nobody can know.
  process.kill(pid, 'SIGSTOP');
  const answer = bridge.ask('s', 'banana');
  await until('the hand-over', () => of(bridge, 'turn.delivering').length === 2);
  process.kill(pid, 'SIGKILL');
  expect(await answer).toContain('banana');
  expect(of(bridge, 'turn.settled')).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }]);
  expect(given(home).filter((line) => line.includes('banana'))).toHaveLength(1);
});

test('a message for which three died is given to no fourth, and its sender is told that Claude has not seen it', async () => {
  await using home = new Home();
  // It takes no key, so that there is time to kill it.
  const bridge = await home.up({ env: { SIM_BOX_MOST: 'none' } });
  const answer = bridge.ask('s', 'banana');
  for (const start of [1, 2, 3]) process.kill(await pidOf(bridge, start), 'SIGKILL');
  expect(await answer).toMatch(/could not be handed to Claude Code/);
  expect(of(bridge, 'turn.settled')).toMatchObject([{ outcome: 'failed', code: 'delivery_failed' }]);
  expect(of(bridge, 'agent.exited')).toHaveLength(3);
});
