// A Claude Code that does not come to read its keys: stopped, as a machine with too much to do stops it.
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { pause } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { AgentWorld } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());

/** One that has answered, and whose picture is whole: hooks are faster, and a text is typed into a box that is drawn. */
async function answered(): Promise<{ pid: number; rows: number }> {
  world = await AgentWorld.open({ env: { EDITOR: 'false' } });
  await world.ask('hello');
  await world.next('agent.status');
  await drawn();
  return { pid: world.pid, rows: world.size.rows };
}

const drawn = () =>
  until('its end', () => ['I remember 0', '? for shortcuts'].every((words) => world.screen.includes(words)));

let looks = 0;

/** What it wrote has come: a hook has that was told behind it. Two, as its host may read both at once, in any order. */
async function allHasCome(): Promise<void> {
  for (const end = looks + 2; looks < end; ) {
    looks += 1;
    const name = `look ${looks}`;
    await world.forge('StatusLine', { model: { display_name: name } });
    await until(name, () => world.of('agent.status').some(({ status }) => status.model === name));
  }
  // And is drawn.
  await setTimeout(100);
}

/** With a whole picture: half of one has no box, as behind an editor of somebody else's. */
async function stop(pid: number): Promise<void> {
  for (;;) {
    await pause(pid);
    await allHasCome();
    if (/─{10}\n❯\s*\n─{10}/.test(world.screen)) return;
    process.kill(pid, 'SIGCONT');
    await drawn();
  }
}

const isAsked = (rows: number) =>
  until('Claude Code to be asked whether it draws', () => world.size.rows > rows);

/** To the second message. */
async function answer(): Promise<string | undefined> {
  const ended = () => world.of('turn.stopped')[1] ?? world.of('prompt.failed')[0];
  await until('the end of the message', ended, 60_000);
  expect(world.of('prompt.failed')).toEqual([]);
  return world.of('turn.stopped')[1]?.text;
}

test('one that stood still gets the text once, and no other is started', async () => {
  const { pid, rows } = await answered();
  await stop(pid);
  world.say('once more');
  await isAsked(rows);
  process.kill(pid, 'SIGCONT');
  expect(await answer()).toContain('once more');
  expect([world.pid, world.size.rows]).toEqual([pid, rows]);
});

test('one that stands still for longer than an editor takes gets a long text, and opens no other editor', async () => {
  const { pid, rows } = await answered();
  await stop(pid);
  world.say(Array.from({ length: 1000 }, (_, row) => `row ${row} `.padEnd(99, 'and so on ')).join('\n'));
  await isAsked(rows);
  // Nobody waits for an editor of somebody else's for longer than five seconds.
  await setTimeout(5500);
  process.kill(pid, 'SIGCONT');
  expect(await answer()).toContain('row 999');
  expect(world.pid).toBe(pid);
});
