// Two people of a Telegram group have to say yes: the real Claude Code behind the real OpenClaw's Telegram channel.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { alice, bob, group, TelegramWorld } from './support/telegram-world.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

const approvers = [alice, bob].map(({ id }) => `telegram:${id}`);
const policy = [{ tool: 'exec', decision: { quorum: 2 } }];

test('a quorum of two needs two people of the group, each of whom counts once, and one no is enough', async () => {
  await using machine = await World.start('quorum', { config: { approvers, policy } });
  usesTools(machine.api);
  await using world = await TelegramWorld.start('quorum', [], { behind: machine });
  await using operator = await OperatorSocket.open(machine.stateDir);
  const { telegram } = world;
  const session = `agent:main:telegram:group:${group.id}`;
  const say = async (who: typeof alice, text: string, expected: string | RegExp) => {
    const mark = telegram.mark;
    telegram.write(group, who, text);
    return telegram.answer(group, expected, mark);
  };
  /** Bob has Claude ask for a command that leaves a line in `file` each time it runs. @returns the question's code */
  const asked = async (file: string) => {
    const command = `echo line-$((40+2)) | tee -a ${file}`;
    const { text } = await say(
      bob,
      `use mcp__synthesis__exec ${JSON.stringify({ command })}`,
      '2 different people have to say yes',
    );
    expect(text).toContain(command);
    return /yes ([a-km-z]{5})/.exec(text)?.[1] ?? '';
  };

  const file = join(world.home.path, 'allowed');
  const code = await asked(file);
  await say(bob, `yes ${code}`, '1 of 2');
  await say(bob, `yes ${code}`, 'You have said yes before');
  expect(await world.session(session)).toMatchObject({ state: 'asking', asking: [code] });
  expect(existsSync(file)).toBe(false);
  await say(alice, `yes ${code}`, /it said: .*line-42/);
  expect(await readFile(file, 'utf8')).toBe('line-42\n');

  const denied = join(world.home.path, 'denied');
  const other = await asked(denied);
  await say(alice, `yes ${other}`, '1 of 2');
  await say(bob, `no ${other} not now`, /it said: .*not now/);
  expect(existsSync(denied)).toBe(false);

  expect(operator.events('permission.voted')).toMatchObject([
    { code, voter: `telegram:${bob.id}` },
    { code, voter: `telegram:${alice.id}` },
    { code: other, voter: `telegram:${alice.id}` },
  ]);
  expect(operator.events('permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat' },
    { code: other, verdict: 'deny', by: 'chat' },
  ]);
});
