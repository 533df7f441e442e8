// A bridge that is killed while the real Claude Code works, as the chat of a real OpenClaw sees it: nothing is lost,
// nothing is said or done twice, and a question is answered by the code, or the button, that the chat has.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Row, rowsOnDisk } from '../../crash/history/evidence.ts';
import { seeded } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { gate } from './support/gate.ts';
import { alice, anyGateway, direct, TelegramWorld } from './support/telegram-world.ts';
import { World } from './support/world.ts';

/** How often the bridge is struck in each situation: `OUTLIVES_STRIKES=10 npm run test:real -- test/real/outlives.test.ts`. */
const strikes = Array.from({ length: Number(process.env.OUTLIVES_STRIKES ?? 2) }, (_, at) => at);
const main = 'agent:main:main';
/** Longer than a card can show: such a question is asked by text. */
const long = 'x'.repeat(600);
const random = seeded(31);

/** Opened by a kill: no answer is whole before it. */
let struck = gate();
let machine: World;
let world: TelegramWorld;

beforeAll(async () => {
  const gateway = await anyGateway();
  machine = await World.start('outlives', { gateway });
  machine.api.on('write ', async (answer, { newest }) => {
    for (const [at, line] of linesOf(/write (\w+)/.exec(newest)?.[1] ?? '').entries()) {
      if (at === 30) await struck.opened;
      answer.text(`${line}\n`);
      await wait(30);
    }
  });
  machine.api.on('run ', (answer, { newest, toolResults }) => {
    const [, command = '', name = ''] = /run (.* >> (\w+)\b.*)/.exec(newest) ?? [];
    if (toolResults.length > 0) answer.text(`${name} has run. The end.`);
    else answer.tool('Bash', { command, description: 'Run it' });
  });
  const approvers = [String(alice.id)];
  const cards = {
    approvals: { plugin: { enabled: true, mode: 'session' } },
    commands: { ownerAllowFrom: [`telegram:${alice.id}`] },
    channels: {
      telegram: {
        execApprovals: { enabled: true, approvers, target: 'both' },
        capabilities: { inlineButtons: 'all' },
      },
    },
  };
  world = await TelegramWorld.start('outlives', [cards], { behind: machine, gateway });
  // The gateway loads most of itself at its first message.
  await world.ask('hello', 'hello');
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

const linesOf = (name: string) => Array.from({ length: 40 }, (_, at) => `This is line ${at} of ${name}.`);

const rows = (): Row[] => rowsOnDisk(machine.stateDir);
const eventsOf = (type: string) => rows().flatMap(({ event }) => (event.type === type ? [event] : []));

/** The turn that has this message, as the journal has it. */
async function turnOf(text: string) {
  const queued = () => eventsOf('turn.queued').find((each) => String(each.text).includes(text));
  const { turn } = await until(`"${text}" in the journal`, queued, 60_000);
  const of = (type: string) => eventsOf(type).filter((each) => each.turn === turn);
  return {
    of,
    /** Batch by batch as it was written down. */
    said: () =>
      of('answer.delta')
        .map((each) => each.text)
        .join(''),
    settled: () => until(`the end of "${text}"`, () => of('turn.settled')[0], 60_000),
  };
}

/** How often the model was given this message to begin with. */
const asked = (text: string) =>
  machine.api.turns.filter(({ newest, toolResults }) => newest.includes(text) && toolResults.length === 0)
    .length;

/** What a tool wrote down in the folder of Claude. */
const written = (name: string) => {
  const file = join(machine.cwd, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

afterEach(async () => {
  await world.reaches(main, 'idle');
  expect(new Set(eventsOf('agent.ready').map(({ pid }) => pid)).size, 'Claude Codes').toBe(1);
  expect(world.said(direct, 0)).not.toContain('⚠️');
});

/** What the chat read of an answer, without the blanks that a client may set in another way. */
const plain = (text: string) => text.split(/\s+/).join(' ').trim();

test.each(strikes)(
  'killed while Claude writes, strike %i: the chat reads the whole answer once',
  async (strike) => {
    const name = `text${strike}`;
    const { mark } = world.telegram;
    struck = gate();
    world.telegram.write(direct, alice, `write ${name}`);
    const turn = await turnOf(`write ${name}`);
    await until('its beginning', () => turn.said() !== '', 30_000);
    await wait(random() * 1_000);
    const crashed = machine.crash();
    struck.open();
    await crashed;
    const whole = linesOf(name);
    await world.telegram.answer(direct, whole.at(-1) ?? '', mark, 120_000);
    expect(await turn.settled()).toMatchObject({ outcome: 'completed' });
    expect(turn.said().trimEnd()).toBe(whole.join('\n'));
    expect(plain(world.said(direct, mark))).toBe(whole.join(' '));
    expect(asked(`write ${name}`)).toBe(1);
  },
);

/** Has Claude ask for a command by text. @returns where the question stands in the chat, and the journal */
async function ask(command: string) {
  const { mark } = world.telegram;
  const text = `run ${command} # ${long}`;
  world.telegram.write(direct, alice, text);
  return { mark, turn: await turnOf(text) };
}

/** The code that the chat reads. */
async function codeBehind(mark: number): Promise<string> {
  const { text } = await world.telegram.answer(direct, 'Approve?', mark, 120_000);
  return /yes ([a-km-z]{5})/.exec(text)?.[1] ?? '';
}

test.each(strikes)(
  'killed while a tool runs, strike %i: it runs once, and the answer follows',
  async (strike) => {
    const name = `tool${strike}`;
    const question = await ask(`echo begun >> ${name}; sleep 1; echo ran >> ${name}`);
    const code = await codeBehind(question.mark);
    const { mark } = world.telegram;
    world.telegram.write(direct, alice, `yes ${code}`);
    await until('the tool', () => written(name) !== '', 20_000);
    await wait(random() * 800);
    await machine.crash();
    await world.telegram.answer(direct, `${name} has run. The end.`, mark, 120_000);
    expect(await question.turn.settled()).toMatchObject({ outcome: 'completed' });
    expect(written(name)).toBe('begun\nran\n');
    expect(world.said(direct, mark).split('The end.')).toHaveLength(2);
  },
);

test.each(strikes)('killed at a question, strike %i: the code of the chat answers it', async (strike) => {
  const name = `ask${strike}`;
  const { mark, turn } = await ask(`echo ran >> ${name}`);
  // Every third time before the chat has read the question.
  if (strike % 3 !== 1) await codeBehind(mark);
  const asked = await until('the question', () => turn.of('permission.asked')[0], 60_000);
  const kills = 1 + (strike % 2);
  for (let kill = 0; kill < kills; kill += 1) await machine.crash();
  const code = await codeBehind(mark);
  expect(code).toBe(asked.code);
  expect(await world.reaches(main, 'asking')).toMatchObject({ asking: [code] });
  expect(written(name)).toBe('');
  world.telegram.write(direct, alice, `yes ${code}`);
  await world.telegram.answer(direct, `${name} has run. The end.`, mark, 120_000);
  expect(await turn.settled()).toMatchObject({ outcome: 'completed' });
  expect(written(name)).toBe('ran\n');
  expect(world.said(direct, mark).split(/Approve\?|The end\./)).toHaveLength(3);
  expect(turn.of('permission.asked')).toHaveLength(1);
});

test.each(strikes)('killed while a card asks, strike %i: its button still answers', async (strike) => {
  const name = `card${strike}`;
  const { mark } = world.telegram;
  world.telegram.write(direct, alice, `run echo ran >> ${name}`);
  const shown = await world.telegram.answer(direct, `echo ran >> ${name}`, mark, 30_000);
  const [allow] = shown.buttons;
  if (!allow) throw new Error('a card without a button');
  const { asking } = await world.reaches(main, 'asking');
  await machine.crash();
  await until('the card to be taken up', () => /"state":"connected"/.test(machine.bridge.log), 30_000);
  world.telegram.press(shown, alice, allow);
  await world.telegram.answer(direct, `${name} has run. The end.`, mark, 120_000);
  expect(written(name)).toBe('ran\n');
  expect(world.said(direct, mark).split('The end.')).toHaveLength(2);
  const verdicts = eventsOf('permission.decided').filter(({ code }) => asking.includes(String(code)));
  expect(verdicts).toMatchObject([{ verdict: 'allow', by: 'gateway' }]);
  await until('the card to be closed', () => shown.buttons.length === 0, 20_000);
});
