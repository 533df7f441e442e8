// Background agents of the real Claude Code: they end while Claude writes, while it rests, and several at once; people
// write meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { AgentModel, endOf, heardOf } from './support/agent-model.ts';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

let world: WatchedWorld;
let model: AgentModel;
beforeAll(async () => {
  world = await WatchedWorld.start('agents');
  model = new AgentModel(world.api);
});
afterAll(() => world?.[Symbol.asyncDispose]());

test.each([1, 2, 3])(
  '%i that end while Claude writes: every turn ends, and Claude speaks of each',
  async (many) => {
    const chat = `writes${many}`;
    const agents = ['red', 'green', 'blue'].slice(0, many).map((name) => `${name}${many}`);
    const [work, essay] = [gate(), gate()];
    for (const name of agents) model.hold(name, () => work.opened);
    model.hold(`essay${many}`, () => essay.opened);

    const answer = world.ask(chat, `start ${agents.join(' ')}, write essay${many}`);
    await until('Claude to write', () => model.reached.has(`essay${many}`), 60_000);
    work.open();
    await until('the reports to be in line', () => world.enqueued(chat) === many);
    essay.open();

    expect(await answer).toContain(endOf(`essay${many}`));
    for (const name of agents) await world.says(chat, heardOf(name));
    await world.rests(chat);
    const next = await world.ask(chat, 'are you well?');
    for (const name of agents) expect(next).toContain(heardOf(name));
    expect(next).toContain('You said: [user] are you well?');
  },
);

test('a message is answered while an agent works, whose report begins a turn for the same chat', async () => {
  const answered = gate();
  model.hold('long', () => Promise.race([answered.opened, wait(20_000)]));
  await world.ask('busy', 'start long, write plan');
  expect(await world.ask('busy', 'what is 2+2?')).toContain('You said: [user] what is 2+2?');
  expect(model.ended).not.toContain('long');
  answered.open();

  await world.says('busy', heardOf('long'));
  await world.rests('busy');
  const [began] = world.events('busy', 'turn.adopted');
  expect(world.said('busy', began?.turn)).toContain(heardOf('long'));
  expect(began).toMatchObject({ origin: { by: 'task', ingress: 'openai' } });
  expect(await world.ask('busy', 'and now?')).toContain(heardOf('long'));
});

test('20 turns with agents that end at any moment: each turn ends, and no text is lost', async () => {
  const random = seeded(44);
  const agents: string[] = [];
  const essays: string[] = [];
  let read = '';
  for (const turn of Array.from({ length: 20 }, (_, at) => at)) {
    const begun = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => `worker${turn}x${at}`);
    const essay = `essay${turn}x`;
    for (const name of [...begun, essay]) {
      const ms = random() * (name === essay ? 1500 : 3000);
      model.hold(name, () => wait(ms));
    }
    read += await world.ask('soak', `start ${begun.join(' ')}, write ${essay}`);
    agents.push(...begun);
    essays.push(essay);
  }
  for (const name of agents) await world.says('soak', heardOf(name));
  await world.rests('soak');
  read += await world.ask('soak', 'are you well?');
  await world.rests('soak');

  const said = world.said('soak');
  for (const text of world.written('soak')) expect(said).toContain(text.trim());
  const written = world.written('soak').join('\n');
  const times = (text: string, words: string) => text.split(words).length - 1;
  for (const words of [...agents.map(heardOf), ...essays.map(endOf)]) {
    expect(times(written, words), `${words} in the transcript`).toBe(1);
    expect(times(said, words), `${words} in the journal`).toBe(1);
    expect(times(read, words), `${words} in the chat`).toBe(1);
  }
});
