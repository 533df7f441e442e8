// A person in OpenClaw is asked, and answers, in the conversation itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { AskingModel } from './support/asking-model.ts';
import { stateDirOf } from './support/bridge.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { World } from './support/world.ts';

test('the question is OpenClaw’s answer, a yes or no is its next message, and the rest follows', async () => {
  await using world = await World.start('permissions-openclaw');
  await using _model = await AskingModel.start(world.api, world.cwd);
  await using home = await isolatedHome('permissions-user');
  await using openclaw = await RealOpenClaw.start(home.path, world.bridge.provider);
  await using operator = await OperatorSocket.open(stateDirOf(world.home.path));
  const say = (text: string) => openclaw.agent('agent:main:asks', text);
  const codeIn = (text: string) => /`yes ([a-km-z]{5})/.exec(text)?.[1] ?? '';
  const made = (name: string) => existsSync(join(world.cwd, `${name}.txt`));

  const question = await say('go Bash first');
  expect(question).toContain('touch first.txt');
  expect(made('first')).toBe(false);
  const code = codeIn(question);
  expect(await say(`yes ${code}`)).toContain('result of first');
  expect(made('first')).toBe(true);

  const second = await say('go Bash second');
  expect(codeIn(second)).not.toBe(code);
  // An old verdict is an old verdict, and an ordinary message does not answer anything.
  expect(await say(`yes ${code}`)).toMatch(/Already answered: `\w+` \(Bash\) was allowed in the chat/);
  expect(await say('is it done already?')).toContain(`yes ${codeIn(second)}`);
  expect(made('second')).toBe(false);
  const denied = await say(`no ${codeIn(second)} use another folder`);
  expect(denied).toContain('use another folder');
  expect(denied).toContain('result of second');
  expect(made('second')).toBe(false);

  expect(operator.events('permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat' },
    { code: codeIn(second), verdict: 'deny', by: 'chat' },
  ]);
});
