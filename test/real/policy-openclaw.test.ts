// The policy between the real Claude Code and the real OpenClaw: what OpenClaw lends, and Claude Code's own tools.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

const policy = [
  { command: 'truncate', decision: 'deny', reason: 'nothing is cut here' },
  { tool: 'exec', command: 'uname', decision: 'operator' },
  { tool: 'Bash', command: 'touch allowed.txt', decision: 'allow' },
];

test('a lent exec asks, a rule denies in words, and what is for the operator cannot be answered in the chat', async () => {
  await using world = await World.start('policy', { config: { policy } });
  usesTools(world.api);
  await using home = await isolatedHome('policy-user');
  await using openclaw = await RealOpenClaw.start(home.path, world.bridge.provider);
  await using operator = await OperatorSocket.open(world.stateDir);
  const say = (text: string) => openclaw.agent('agent:main:policy', text);
  const exec = (command: string) => say(`use mcp__synthesis__exec ${JSON.stringify({ command })}`);
  const bash = (command: string) => say(`use Bash ${JSON.stringify({ command, description: 'd' })}`);
  const made = (name: string) => existsSync(join(home.path, name));

  const question = await exec(`touch ${home.path}/asked`);
  const [, code = ''] = /`yes ([a-km-z]{5})/.exec(question) ?? [];
  expect(question).toContain(`touch ${home.path}/asked`);
  expect(made('asked')).toBe(false);
  expect(await say(`yes ${code}`)).toContain('it said:');
  expect(made('asked')).toBe(true);
  // One question for one call: OpenClaw does not ask again.
  expect(operator.events('permission.asked')).toHaveLength(1);

  expect(await exec(`truncate -s 0 ${home.path}/asked`)).toContain('nothing is cut here');
  expect(await bash(`'trunc'ate -s 0 ${home.path}/asked`)).toContain('nothing is cut here');
  expect(await bash('touch allowed.txt')).toContain('it said:');
  expect(existsSync(join(world.cwd, 'allowed.txt'))).toBe(true);
  expect(operator.events('policy.ruled').map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'allow']);

  const forOperator = await exec(`uname > ${home.path}/uname`);
  expect(forOperator).toMatch(/waits for the operator/);
  const [, theirs = ''] = /approve ([a-km-z]{5})/.exec(forOperator) ?? [];
  expect(await say(`yes ${theirs}`)).toMatch(/Only the operator may answer this/);
  expect(made('uname')).toBe(false);
  await world.bridge.command('approve', theirs);
  expect(await say('go on')).toContain('it said:');
  expect(made('uname')).toBe(true);
  expect(operator.events('permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat' },
    { code: theirs, verdict: 'allow', by: 'cli' },
  ]);
});
