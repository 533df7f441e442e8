// OpenClaw's own approval cards on Telegram, and what reaches the chat while no answer is open.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import type { Button, Chat, Shown } from './support/bot-api.ts';
import { alice, bob, direct, group, TelegramWorld } from './support/telegram-world.ts';

const main = 'agent:main:main';
/** Longer than a card can show: such a question is asked by text. */
const long = 'x'.repeat(600);

let world: TelegramWorld;
beforeAll(async () => {
  const approvers = [String(alice.id)];
  world = await TelegramWorld.start(
    'approvals',
    [
      {
        approvals: { plugin: { enabled: true, mode: 'session' } },
        commands: { ownerAllowFrom: [`telegram:${alice.id}`] },
        channels: {
          telegram: {
            execApprovals: { enabled: true, approvers, target: 'both' },
            capabilities: { inlineButtons: 'all' },
          },
        },
      },
    ],
    { gateway: true, config: { policy: [{ door: 'operator', tool: 'exec', decision: 'allow' }] } },
  );
});
afterAll(() => world?.[Symbol.asyncDispose]());

async function card(chat: Chat, says: string, mark: number): Promise<Shown> {
  const shown = await world.telegram.answer(chat, says, mark, 30_000);
  expect(shown.buttons.map(({ text }) => text)).toEqual(['Allow Once', 'Deny']);
  return shown;
}

function button(shown: Shown, label: string): Button {
  const found = shown.buttons.find(({ text }) => text === label);
  if (!found) throw new Error(`no button "${label}"`);
  return found;
}

const pressed = (shown: Shown) => until('the card to be closed', () => shown.buttons.length === 0, 20_000);

/** A file that a tool makes when it runs. */
const made = (name: string) => existsSync(join(world.bridge.home.path, 'work/project', name));

test('a permission is allowed by an inline button, and the answer goes on in the same stream', async () => {
  const mark = world.telegram.mark;
  world.telegram.write(
    direct,
    alice,
    '[[say:Before.]][[bash:touch ran; echo pressed-$((20+2))]][[say:After.]]',
  );
  const shown = await card(direct, 'echo pressed-', mark);
  expect(made('ran')).toBe(false);
  world.telegram.press(shown, alice, button(shown, 'Allow Once'));
  const { text } = await world.telegram.answer(direct, 'After.', mark);
  expect(text).toContain('Before.');
  expect(text).toContain('Bash answered: pressed-22');
  expect(made('ran')).toBe(true);
  expect(world.said(direct, mark)).not.toContain('Reply yes');
  await pressed(shown);
});

test('in a group a press by somebody who is no approver counts for nothing, the approver’s does', async () => {
  const mark = world.telegram.mark;
  world.telegram.write(group, bob, '[[bash:touch denied; echo group-$((30+3))]]');
  const shown = await card(group, 'echo group-', mark);
  world.telegram.press(shown, bob, button(shown, 'Allow Once'));
  await until('the answer to the press', () => world.telegram.calls.some(isCallbackAnswer));
  expect(await world.session(`agent:main:telegram:group:${group.id}`)).toMatchObject({ state: 'asking' });
  world.telegram.press(shown, alice, button(shown, 'Deny'));
  expect((await world.telegram.answer(group, 'Bash failed', mark)).text).toMatch(/den/i);
  expect(made('denied')).toBe(false);
});

const isCallbackAnswer = ({ method }: { method: string }) => method === 'answerCallbackQuery';

test('a question that the operator answers closes its card', async () => {
  const mark = world.telegram.mark;
  world.telegram.write(direct, alice, '[[bash:echo by-operator]]');
  const shown = await card(direct, 'echo by-operator', mark);
  const [code = ''] = (await world.reaches(main, 'asking')).asking;
  await world.bridge.bridge.command('approve', code);
  await world.telegram.answer(direct, 'Bash answered: by-operator', mark);
  await pressed(shown);
  expect(shown.text).toMatch(/allow/i);
});

test('what Claude has to say while no answer is open comes by itself: a late answer, and a further question', async () => {
  const mark = world.telegram.mark;
  const bash = (name: string) => `[[bash:echo ${name} ${long}]]`;
  world.telegram.write(direct, alice, `${bash('first')}${bash('second')}[[say:The end.]]`);
  await world.telegram.answer(direct, 'Approve?', mark);
  const [first = ''] = (await world.reaches(main, 'asking')).asking;
  const asked = world.telegram.mark;
  await world.bridge.bridge.command('approve', first);
  const question = await world.telegram.answer(direct, 'echo second', asked);
  const [, second = ''] = /yes ([a-z]{5})/.exec(question.text) ?? [];
  expect(second).not.toBe(first);
  await world.bridge.bridge.command('approve', second);
  await world.telegram.answer(direct, 'The end.', asked);
  await world.reaches(main, 'idle');
  const { text } = await world.ask('and now?', 'and now?');
  expect(text).not.toContain('The end.');
});

test('Claude’s reply tool sends words and files at once', async () => {
  const file = join(world.bridge.home.path, 'work/project/report.txt');
  await writeFile(file, 'all is well');
  const mark = world.telegram.mark;
  const args = JSON.stringify({ text: 'half way there', files: [file] });
  world.telegram.write(direct, alice, `[[tool:reply ${args}]][[wait:1500]][[say:Done.]]`);
  const note = await world.telegram.answer(direct, 'half way there', mark);
  const { id, text } = await world.telegram.answer(direct, 'Done.', mark);
  expect(note.id).toBeLessThan(id);
  expect(text).toMatch(/reply answered: .*sent/);
  const documents = world.telegram.calls.filter(({ method }) => method === 'sendDocument');
  expect(JSON.stringify(documents)).toContain('report.txt');
});

test('a reply while no answer is open reaches the chat', async () => {
  const mark = world.telegram.mark;
  const call = `[[tool:reply ${JSON.stringify({ text: 'news for the chat' })}]]`;
  expect(await world.bridge.bridge.command('send', main, call)).toMatch(/reply answered: .*sent/);
  await world.telegram.answer(direct, 'news for the chat', mark);
});

test('a tool of OpenClaw runs for what the operator asks, too', async () => {
  const call = '[[tool:tool_call {"id":"session_status","args":{}}]]';
  expect(await world.bridge.bridge.command('send', main, call)).toContain(`Session: ${main}`);
  const refused = await world.bridge.bridge.command('send', main, '[[tool:exec {"command":"date"}]]');
  expect(refused).toContain('Tool not available: exec');
});
