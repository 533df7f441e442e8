// Releases that draw their prompt in a way that nobody knew.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { AgentWorld } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());
const open = async (drawing: string, env: Record<string, string> = {}) => {
  world = await AgentWorld.open({ env: { SIM_DRAWING: drawing, ...env } });
};

/** Words that were typed as a test. */
const marksIn = (text: string) => text.match(/\b[bcdfghjklmnpqrstvwxz]{7}\b/g) ?? [];

/** What Claude Code draws from its start on until its first turn. */
async function drawnAtStart(key: string): Promise<string> {
  let drawn = '';
  const output = (data: string) => {
    drawn += data;
  };
  const viewer = await until('a terminal', () => world.agent.view(key, output, () => {}));
  await until('its turn', () => world.of('prompt.taken').some((report) => report.key === key));
  viewer.detach();
  return drawn;
}

describe.each(['sides', 'bare', 'double', 'shell', 'top'])('a prompt drawn as "%s"', (drawing) => {
  test('is found by typing into it, and takes messages of any form', async () => {
    await open(drawing);
    expect(await world.ask('good morning')).toContain('good morning');
    expect(await world.ask('first line\n\nthird line\nand the last')).toContain('third line and the last');
    const long = `a long one ${'and so on '.repeat(60)}\n${'row\n'.repeat(12)}to the end`;
    expect(await world.ask(long)).toContain('to the end');
    expect(world.of('prompt.failed')).toEqual([]);
    expect(world.of('agent.dialog')).toEqual([]);
    expect(marksIn(world.screen)).toEqual([]);
  });

  test('is known to be gone while a question stands there, and to be back behind it', async () => {
    await open(drawing);
    await world.ask('good morning');
    world.say('[[bash:echo one]]');
    await world.next('permission.ask');
    await world.shows('Do you want to proceed?');
    world.type('1');
    await world.next('turn.stopped', 2);
    expect(await world.ask('and now?')).toContain('and now?');
    expect(world.of('prompt.failed')).toEqual([]);
  });

  test('holds a draft of the operator, which is put aside', async () => {
    await open(drawing);
    await world.ask('good morning');
    world.type('a draft');
    await world.shows('a draft');
    expect(await world.ask('a message')).toMatch(/a message(?!.*draft)/);
    await world.shows('a draft');
  });
});

test.each(['usual', 'bare'])(
  'a title that says nothing keeps no turn from its end, drawn "%s"',
  async (drawing) => {
    await open(drawing, { SIM_TITLE: 'none' });
    expect(await world.ask('good morning')).toContain('good morning');
    const heard = world.of('message.delta').length;
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta', heard + 1);
    world.type('\x1b');
    expect(await world.next('turn.idle')).toMatchObject({ interrupted: true });
    expect(await world.ask('and now?')).toContain('and now?');
  },
);

test('a prompt that shows nothing of what is typed is said to be unknown, and its Claude Code waits', async () => {
  await open('hidden');
  const before = performance.now();
  world.say('good morning');
  expect(await world.next('prompt.held')).toMatchObject({
    code: 'prompt_unknown',
    detail: expect.stringContaining('claude install'),
  });
  expect(performance.now() - before).toBeLessThan(5000);
  expect(world.of('agent.dialog')).toMatchObject([{ dialog: 'prompt_unknown', failure: 'prompt_unknown' }]);
  expect(world.agent.sessions()).toMatchObject([{ state: 'dialog' }]);
  expect(world.of('prompt.handing')).toEqual([]);

  // The operator finds a setting.
  world.type('\x1b[200~/config drawing usual\x1b[201~\r');
  await world.next('agent.ready');
  expect(await world.ask('and now?')).toContain('and now?');
});

test('what was learned of a release serves its next start', async () => {
  await open('sides');
  world.say('good morning');
  expect(marksIn(await drawnAtStart('k'))).not.toEqual([]);
  world.say('hello', { key: 'other', claude: randomUUID(), resume: false });
  expect(marksIn(await drawnAtStart('other'))).toEqual([]);
});

test('nothing is typed into a prompt that is known', async () => {
  await open('usual');
  world.say('good morning');
  expect(marksIn(await drawnAtStart('k'))).toEqual([]);
});
