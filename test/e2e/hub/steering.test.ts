// A message that comes while the simulated Claude works, on the built program: each of the three modes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const letsBash = { policy: [{ tool: 'Bash', decision: 'allow' }] };

/** Prompts that Claude was given, from the transcripts it keeps. */
function prompts(home: Home): string[] {
  const folder = join(home.path, '.claude/projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as { type: string; message?: { content?: unknown } })
    .filter(({ type, message }) => type === 'user' && typeof message?.content === 'string')
    .map(({ message }) => String(message?.content));
}

test('while a tool runs: it is in the same turn, in the same answer, and no prompt of its own', async () => {
  await using home = new Home();
  home.configure({ ...letsBash, queueMode: 'steer' });
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const first = bridge.ask('s', '[[bash:sleep 3]]');
  await until('the tool', () => operator.events('activity').length > 0);
  const second = bridge.ask('s', 'and look at the zebra');
  expect(await second).toContain('while it was at work');
  const answer = await first;
  expect(answer).toContain('> [user] and look at the zebra');
  expect(answer).not.toContain('⚠️');
  expect(operator.events('turn.running')).toHaveLength(1);
  expect(prompts(home).join()).not.toContain('zebra');
});

test('while nothing but text comes: it waits for the end, and is the next prompt', async () => {
  await using home = new Home();
  home.configure({ queueMode: 'steer' });
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const first = bridge.ask('s', '[[say:one|two]][[wait:1500]][[say:three]]');
  await until('its first words', () => operator.events('answer.delta').length > 0);
  const second = bridge.ask('s', 'the zebra');
  expect(await first).toBe('one\ntwo\nthree');
  expect(await second).toContain('You said: [user] the zebra');
  expect(prompts(home).filter((text) => text.includes('zebra'))).toHaveLength(1);
});

test('while a question is open: it waits for the verdict, and the dialog is not touched', async () => {
  await using home = new Home();
  home.configure({ queueMode: 'steer' });
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const file = join(home.cwd, 'made');
  const asked = await bridge.ask('s', `[[write:${file} hello]]`);
  const code = /`yes ([a-z]{5})`/.exec(asked)?.[1] ?? '';
  const second = bridge.ask('s', 'and look at the zebra');
  await until('the message in line', () => operator.events('turn.queued').length === 2);
  const rest = await bridge.ask('s', `yes ${code}`);
  const answer = `${rest}\n${await second}`;
  expect(answer).toContain('> [user] and look at the zebra');
  expect(readFileSync(file, 'utf8')).toContain('hello');
  expect(operator.events('permission.settled')).toMatchObject([{ outcome: 'applied' }]);
});

test('an interrupt stops the turn with its question, in words, and is the next prompt', async () => {
  await using home = new Home();
  home.configure({ queueMode: 'interrupt' });
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const file = join(home.cwd, 'made');
  expect(await bridge.ask('s', `[[write:${file} hello]]`)).toContain('`yes ');
  const answer = await bridge.ask('s', 'the zebra');
  expect(answer).toContain('was stopped; Claude keeps what it did');
  expect(answer).toContain('You said: [user] the zebra');
  expect(operator.events('permission.settled')).toMatchObject([{ outcome: 'superseded' }]);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test('a bridge that is killed in between with its Claude Code gives nothing twice, and loses nothing', async () => {
  await using home = new Home();
  home.configure({ ...letsBash, queueMode: 'steer' });
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const first = bridge.ask('s', '[[bash:sleep 3]]').catch(() => 'cut off');
  await until('the tool', () => operator.events('activity').length > 0);
  const second = bridge.ask('s', 'the zebra').catch(() => 'cut off');
  await until('the message in line', () => operator.events('turn.queued').length === 2);
  await bridge.kill();
  await home.killHosts();
  expect([await first, await second]).toEqual(['cut off', 'cut off']);
  const again = await home.up();
  expect(await again.ask('s', 'the zebra')).toContain('You said: [user] the zebra');
  expect(prompts(home).filter((text) => text.includes('zebra'))).toHaveLength(1);
});
