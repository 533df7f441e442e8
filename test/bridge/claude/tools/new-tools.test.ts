// A prompt waits for the tools that came with it.
import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { Watch } from '../../../../src/base/waiting/watch.ts';
import { awaitNewTools } from '../../../../src/bridge/claude/process/readiness.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function claude(isStale: boolean) {
  const clock = new ManualClock();
  const watch = new Watch(clock);
  const tools = {
    isStale,
    gaveUp: false,
    giveUp: () => {
      tools.gaveUp = true;
    },
    setTools: () => {},
    toolsChanged: () => {},
    answerTool: () => {},
  };
  const run = { tools, watch, log: silentLog, exit: undefined, stopping: undefined as string | undefined };
  let over = false;
  const waited = awaitNewTools(run).then(() => {
    over = true;
  });
  return { clock, watch, tools, run, waited, isOver: () => over };
}

/** Everything that is due has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('it does not wait when Claude Code has them', async () => {
  const { waited, tools } = claude(false);
  await waited;
  expect(tools.gaveUp).toBe(false);
});

test('it goes on a moment after Claude Code was given them', async () => {
  const { clock, watch, tools, waited, isOver } = claude(true);
  clock.advance(900);
  await turn();
  expect(isOver()).toBe(false);
  tools.isStale = false;
  watch.poke();
  await turn();
  expect(isOver()).toBe(false);
  clock.advance(50);
  await waited;
  expect(tools.gaveUp).toBe(false);
});

test('nobody waits a second time for a Claude Code that does not ask', async () => {
  const { clock, tools, waited } = claude(true);
  clock.advance(1_000);
  await waited;
  expect(tools.gaveUp).toBe(true);
});

test('the end of the process ends the waiting', async () => {
  const { clock, watch, run, tools, waited } = claude(true);
  run.stopping = 'it is stopped';
  watch.poke();
  await turn();
  clock.advance(50);
  await waited;
  expect(tools.gaveUp).toBe(false);
});
