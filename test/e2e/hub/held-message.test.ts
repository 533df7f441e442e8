// A message that the simulated Claude cannot be given yet, on the built program: it is kept, said once, and answered by
// itself when somebody has done what it waits for.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const downAndEnter = '\u001b[B\r';
const question = 'Two tool servers come with this project';

let log: string;
beforeEach(() => {
  log = '';
});

/** What Claude was given, in order. */
const prompts = (): string[] =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line)));

function up(home: Home, env: Record<string, string> = {}): Promise<RunningBridge> {
  log = join(home.path, 'prompts');
  return home.up({ env: { SIM_PROMPT_LOG: log, ...env } });
}

const settled = (operator: OperatorSocket, count: number) =>
  until(
    () => `the end of ${count} turns: ${JSON.stringify(operator.rows.map(({ event }) => event.type))}`,
    () => operator.events('turn.settled').length === count,
    20_000,
  );

async function healthOf(home: Home): Promise<{ queued: number; health: { code: string; words: string }[] }> {
  const { stdout } = await home.command('ps', '--json');
  const [row] = JSON.parse(stdout);
  return { queued: row.queued, health: row.health.filter(({ info }: { info?: boolean }) => !info) };
}

test('a question at the start: messages wait in order, and are answered once it is answered in the terminal', async () => {
  await using home = new Home();
  const bridge = await up(home, { SIM_DIALOG: 'servers' });
  await using operator = await OperatorSocket.open(home.state);
  const told = await bridge.ask('s', 'the apple');
  expect(told).toContain('Your message "the apple" waits, and goes to Claude by itself');
  expect(told).toContain('synthesis attach s --terminal');
  expect(await healthOf(home)).toMatchObject({ queued: 1, health: [{ code: 'start_dialog' }] });
  // It is told what is before it, and that alone.
  expect(await bridge.ask('s', 'the zebra')).toContain('Your message "the apple" waits');
  expect(operator.events('turn.settled')).toEqual([]);

  await operator.press('s', question, downAndEnter);
  await settled(operator, 2);
  expect(operator.events('turn.settled')).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }]);
  expect(await healthOf(home)).toEqual({ queued: 0, health: [] });
  const next = await bridge.ask('s', 'the horse');
  for (const each of ['apple', 'zebra'])
    expect(next).toContain(`answer to your earlier message "the ${each}"`);
  expect(next).toContain('You said: [user] the horse');
  expect(prompts().map((text) => /apple|zebra|horse/.exec(text)?.[0])).toEqual(['apple', 'zebra', 'horse']);
  expect(operator.events('turn.held')).toHaveLength(1);
});

test('a stream ends in the same words', async () => {
  await using home = new Home();
  const bridge = await up(home, { SIM_DIALOG: 'servers' });
  const stream = await bridge.client('s').chat.completions.create({
    model: 'claude',
    stream: true,
    messages: [{ role: 'user', content: 'the apple' }],
  });
  let text = '';
  let reason: string | null = null;
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? '';
    reason = choices[0]?.finish_reason ?? reason;
  }
  expect(text).toContain('Your message "the apple" waits');
  expect(reason).toBe('stop');
});

test('the bridge starts anew meanwhile: it is tried once more', async () => {
  await using home = new Home();
  const before = await up(home, { SIM_DIALOG: 'servers' });
  expect(await before.ask('s', 'the apple')).toContain('waits');
  await before.kill();
  await up(home);
  await using operator = await OperatorSocket.open(home.state);
  await settled(operator, 1);
  expect(operator.events('turn.settled')).toMatchObject([{ outcome: 'completed' }]);
  expect(prompts()).toHaveLength(1);
});

test('the operator stops Claude Code and with it the question: it is tried again in a new one', async () => {
  await using home = new Home();
  const bridge = await up(home, { SIM_DIALOG: 'servers' });
  await using operator = await OperatorSocket.open(home.state);
  expect(await bridge.ask('s', 'the apple')).toContain('waits');
  await home.command('stop', 's');
  await until('another hold', () => operator.events('turn.held').length === 2, 20_000);
  await operator.press('s', question, downAndEnter);
  await settled(operator, 1);
  expect(prompts()).toHaveLength(1);
});

test('hooks that the user has switched off: it is answered once they are on', async () => {
  await using home = new Home();
  const folder = join(home.path, '.claude');
  mkdirSync(folder);
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ disableAllHooks: true }));
  const bridge = await up(home);
  await using operator = await OperatorSocket.open(home.state);
  expect(await bridge.ask('s', 'the apple')).toContain(`disableAllHooks in ${settings}`);
  expect(await healthOf(home)).toMatchObject({ queued: 1, health: [{ code: 'hooks_off' }] });
  writeFileSync(settings, '{}');
  await settled(operator, 1);
  expect(prompts()).toHaveLength(1);
});

test('no key that sends a message: it is answered once one does', async () => {
  await using home = new Home();
  const folder = join(home.path, '.claude');
  mkdirSync(folder);
  const keys = join(folder, 'keybindings.json');
  const bindings = { enter: null, 'ctrl+x ctrl+s': null, 'ctrl+x enter': null };
  writeFileSync(keys, JSON.stringify({ bindings: [{ context: 'Chat', bindings }] }));
  const bridge = await up(home);
  await using operator = await OperatorSocket.open(home.state);
  expect(await bridge.ask('s', 'the apple')).toContain('keybindings.json');
  writeFileSync(keys, '{}');
  await settled(operator, 1);
  expect(prompts()).toHaveLength(1);
});
