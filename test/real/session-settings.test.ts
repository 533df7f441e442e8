// Settings of a session follow the configuration, as the real Claude Code takes them.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionRow } from '../../src/domain/views/session/session-row.ts';
import { OperatorSocket } from '../support/operator-socket.ts';
import { until } from '../support/until.ts';
import { AskingModel } from './support/asking-model.ts';
import { stateDirOf } from './support/bridge.ts';
import { World } from './support/world.ts';

/** What a person writes into the configuration; the bridge is started again. */
async function configured(world: World, profiles: object[]): Promise<void> {
  const folder = await world.home.directory('.config/synthesis');
  await writeFile(join(folder, 'config.json'), JSON.stringify({ profiles }));
  await world.crash();
}

async function rowOf(world: World): Promise<SessionRow> {
  const [row] = JSON.parse(await world.bridge.command('ps', '--json'));
  return row;
}

const made = (world: World, name: string) => existsSync(join(world.cwd, `${name}.txt`));
const question = /`yes ([a-km-z]{5})/;

test('a resumed conversation that edited unasked asks once its mode was tightened', async () => {
  await using world = await World.start('tightened');
  await using _model = await AskingModel.start(world.api, world.cwd);
  await configured(world, [{ match: 'walnut', permissionMode: 'acceptEdits' }]);
  expect(await world.bridge.ask('walnut', 'go Write loose')).toContain('result of loose');
  expect(made(world, 'loose')).toBe(true);
  expect(await rowOf(world)).toMatchObject({
    permission_mode: 'acceptEdits',
    permission_mode_source: 'profile walnut',
  });

  await configured(world, []);
  expect(await world.bridge.ask('walnut', 'go Write tight')).toMatch(question);
  expect(made(world, 'tight')).toBe(false);
  expect(await rowOf(world)).toMatchObject({
    permission_mode: 'manual',
    permission_mode_source: 'configuration',
  });
  // It is the same conversation: its history came along.
  expect(world.api.turns.at(-1)?.userTexts.join('\n')).toContain('go Write loose');
});

test('dontAsk refuses without a question what manual asks about', async () => {
  await using world = await World.start('dont-ask');
  await using _model = await AskingModel.start(world.api, world.cwd);
  await configured(world, [{ match: 'walnut', permissionMode: 'dontAsk' }]);
  const answer = await world.bridge.ask('walnut', 'go Bash refused');
  expect(answer).toContain('result of refused');
  expect(answer).not.toMatch(question);
  expect(made(world, 'refused')).toBe(false);
  expect((await rowOf(world)).permission_mode).toBe('dontAsk');
});

test('a mode that was switched in the terminal is shown from the next hook on, and ends with its process', async () => {
  await using world = await World.start('switched from manual');
  world.api.on('hello', (answer) => answer.text('Good day.'));
  await world.bridge.ask('walnut', 'hello');
  await using operator = await OperatorSocket.open(stateDirOf(world.home.path));
  await operator.press('walnut', 'manual mode on', '\u001b[Z');
  await until('the mode', async () => (await operator.screen('walnut')).includes('accept edits on'), 20_000);
  await world.bridge.ask('walnut', 'hello again');
  expect(await rowOf(world)).toMatchObject({
    permission_mode: 'acceptEdits',
    permission_mode_source: 'switched from manual',
  });
  await world.bridge.command('restart', 'walnut');
  await world.bridge.ask('walnut', 'hello once more');
  expect(await rowOf(world)).toMatchObject({
    permission_mode: 'manual',
    permission_mode_source: 'configuration',
  });
});

test('a conversation goes on in another folder once it is restarted, if Claude Code trusts that', async () => {
  await using world = await World.start('moved');
  world.api.on('hello', (answer) => answer.text('Good day.'));
  await world.bridge.ask('walnut', 'hello');
  const [inside, outside] = [
    await world.home.directory('work/project/inside'),
    await world.home.directory('work/outside'),
  ];
  await configured(world, [{ match: 'walnut', cwd: 'inside' }]);
  await world.bridge.command('restart', 'walnut');
  await world.bridge.ask('walnut', 'hello from inside');
  expect((await rowOf(world)).cwd).toBe(inside);
  expect(world.api.turns.at(-1)?.userTexts).toHaveLength(2);

  await configured(world, [{ match: 'walnut', cwd: outside }]);
  await expect(world.bridge.command('restart', 'walnut')).rejects.toThrow(
    /folder_untrusted: it shows a question \(trust\)/,
  );
  expect(await rowOf(world)).toMatchObject({ cwd: outside, state: 'dialog', failure: 'folder_untrusted' });
});
