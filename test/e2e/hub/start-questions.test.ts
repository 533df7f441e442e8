// A dialog at the start of the simulated Claude, on the built program: what lets nothing loose is asked in the chat, and the
// message that it held goes to Claude behind the answer, once. The words of `resume` are those of Claude Code 2.1.332.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOnDisk } from '../../../crash/history/evidence.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const downAndEnter = '\u001b[B\r';
const codeIn = (text: string) => /`(?:yes|no) ([a-km-z]{5})/.exec(text)?.[1] ?? '';

class Start extends Home {
  readonly #log = join(this.path, 'prompts');

  begin(dialogs: string, config: object = {}): Promise<RunningBridge> {
    this.configure(config);
    return this.up({ env: { SIM_PROMPT_LOG: this.#log, SIM_DIALOG: dialogs } });
  }

  /** What Claude was given, in order. */
  prompts(): (string | undefined)[] {
    const lines = readFileSync(this.#log, 'utf8').trim().split('\n');
    return lines.map((line) => /apple|zebra/.exec(String(JSON.parse(line)))?.[0]);
  }

  rows(type: string): Record<string, unknown>[] {
    return rowsOnDisk(this.state).flatMap(({ event }) => (event.type === type ? [event] : []));
  }

  operator(): Promise<OperatorSocket> {
    return OperatorSocket.open(this.state);
  }
}

// At the same time: most of each is the seconds after which such a dialog is believed.
test.concurrent('the chat reads it, answers with a number, and reads the answer to its message', async () => {
  await using home = new Start();
  const bridge = await home.begin('resume');
  const question = await bridge.ask('s', 'the apple');
  expect(question).toContain('This session is 2h old');
  expect(question).toMatch(
    /1\. Resume from summary .*\(preselected\)\n2\. Resume full session as-is\n3\. Don't/,
  );
  const code = codeIn(question);
  for (const vague of [`yes ${code}`, `yes ${code} summary`, `yes ${code} 4`, 'yes zzzzz', '2'])
    expect(await bridge.ask('s', vague), vague).toContain('Nothing was changed');
  expect(home.rows('permission.decided')).toEqual([]);

  expect(await bridge.ask('s', `yes ${code} 2`)).toContain('You said: [user] the apple');
  expect(home.rows('permission.decided')).toMatchObject([
    { code, by: 'chat', reason: '2. Resume full session as-is' },
  ]);
  expect(home.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  expect([home.prompts(), home.rows('turn.held'), home.rows('agent.ready').length]).toEqual([
    ['apple'],
    [],
    1,
  ]);
});

test.concurrent('what waits behind it is told so, and goes in order', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  const code = codeIn(await bridge.ask('s', 'the apple'));
  const behind = await bridge.ask('s', 'the zebra');
  expect(behind).toContain(code);
  await bridge.ask('s', `yes ${code} 2`);
  await until('both answers', () => home.rows('turn.settled').length === 2);
  expect(home.prompts()).toEqual(['apple', 'zebra']);
});

test.concurrent('a no is Esc', async () => {
  await using home = new Start();
  const bridge = await home.begin('resume');
  const code = codeIn(await bridge.ask('s', 'the apple'));
  expect(await bridge.ask('s', `no ${code}`)).toContain('You said: [user] the apple');
  expect(home.prompts()).toEqual(['apple']);
});

test.concurrent('a no that ends Claude Code leaves the message waiting, and it is asked again in the next one', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  const code = codeIn(await bridge.ask('s', 'the apple'));
  expect(await bridge.ask('s', `no ${code}`)).toContain('Your message "the apple" waits');
  await until('its end', () => home.rows('agent.exited').length === 1);
  expect((await home.command('restart', 's')).stderr).toContain('it shows a question (unknown)');
  await until('the next question', () => home.rows('permission.asked').length === 2, 20_000);
  await bridge.ask('s', `yes ${home.rows('permission.asked')[1]?.code} 2`);
  await until('its answer', () => home.rows('turn.settled').length === 1);
  expect(home.prompts()).toEqual(['apple']);
});

test.concurrent('the operator answers one that nobody knows, with a number', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  const code = codeIn(await bridge.ask('s', 'the apple'));
  const { stdout } = await home.command('approvals');
  expect(stdout).toContain('Something new wants to be decided');
  expect((await home.command('approve', code)).stderr).toContain('--answer 1');
  expect((await home.command('approve', code, '--answer', '2')).code).toBe(0);
  await until('its answer', () => home.rows('turn.settled').length === 1);
  expect(await bridge.ask('s', 'the zebra')).toContain('answered with "2. Continue" by the operator');
  expect(home.prompts()).toEqual(['apple', 'zebra']);
});

test.concurrent('one behind the other is asked in its turn', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown,resume');
  const first = codeIn(await bridge.ask('s', 'the apple'));
  const next = await bridge.ask('s', `yes ${first} 2`);
  expect(next).toContain('This session is 2h old');
  expect(codeIn(next)).not.toBe(first);
  expect(await bridge.ask('s', `yes ${codeIn(next)} 1`)).toContain('You said: [user] the apple');
  expect(home.prompts()).toEqual(['apple']);
});

test.concurrent.each(['servers', 'apikey', 'unknown,servers'])(
  'what decides what Claude may do or start is for the terminal alone: %s',
  async (dialogs) => {
    await using home = new Start();
    const bridge = await home.begin(dialogs);
    await using operator = await home.operator();
    let told = await bridge.ask('s', 'the apple');
    const isAsked = dialogs.startsWith('unknown');
    if (isAsked) told = await bridge.ask('s', `yes ${codeIn(told)} 2`);
    expect(told).toContain('Your message "the apple" waits');
    expect(told).toContain('synthesis attach s --terminal');
    expect(home.rows('permission.asked')).toHaveLength(isAsked ? 1 : 0);
    await operator.press('s', 'Enter to confirm', '\r');
    await until('its answer', () => home.rows('turn.settled').length === 1, 20_000);
    expect(home.prompts()).toEqual(['apple']);
  },
);

test.concurrent('one behind such a one is asked of whoever waits, with the next thing they say', async () => {
  await using home = new Start();
  const bridge = await home.begin('apikey,unknown');
  await using operator = await home.operator();
  expect(await bridge.ask('s', 'the apple')).toContain('waits');
  await operator.press('s', 'Enter to confirm', '\r');
  await until('the question', () => home.rows('permission.asked').length === 1, 20_000);
  const told = await bridge.ask('s', 'the zebra');
  expect(told).toContain('Something new wants to be decided');
  await bridge.ask('s', `yes ${codeIn(told)} 2`);
  await until('both answers', () => home.rows('turn.settled').length === 2, 20_000);
  expect(home.prompts()).toEqual(['apple', 'zebra']);
});

test.concurrent('one that gets no answer in time is answered by nobody, and its message waits for the terminal', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown', { timeouts: { permissionMs: 2000 } });
  await using operator = await home.operator();
  const code = codeIn(await bridge.ask('s', 'the apple'));
  await until('the hold', () => home.rows('turn.held').length === 1, 20_000);
  expect(await bridge.ask('s', `yes ${code} 2`)).toContain('no key was pressed');
  expect(await operator.screen('s')).toContain('❯ 1. Leave');
  expect([home.rows('permission.decided'), home.rows('permission.asked').length]).toEqual([[], 1]);
  expect(home.rows('turn.held')).toMatchObject([{ code: 'start_dialog' }]);
  await operator.press('s', 'Something new', downAndEnter);
  await until('its answer', () => home.rows('turn.settled').length === 1, 20_000);
  expect(home.prompts()).toEqual(['apple']);
});

test.concurrent('too many wrong codes answer nothing', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  await using operator = await home.operator();
  await bridge.ask('s', 'the apple');
  for (let tries = 0; tries < 5; tries += 1) await bridge.ask('s', 'yes zzzzz');
  await until('the hold', () => home.rows('turn.held').length === 1, 20_000);
  expect(await operator.screen('s')).toContain('❯ 1. Leave');
  expect(home.rows('permission.decided')).toEqual([]);
});

test.concurrent('what is answered in the terminal is asked no more', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  await using operator = await home.operator();
  const code = codeIn(await bridge.ask('s', 'the apple'));
  await operator.press('s', 'Something new', downAndEnter);
  await until('the end of the question', () => home.rows('permission.settled').length === 1);
  const late = await bridge.ask('s', `yes ${code} 1`);
  expect(late).toContain('it was answered in the terminal or went away');
  await until('its answer', () => home.rows('turn.settled').length === 1);
  expect(home.rows('permission.decided')).toEqual([]);
  expect(home.prompts()).toEqual(['apple']);
});

test.concurrent('a message that is taken back goes to nobody, and the next one is asked anew', async () => {
  await using home = new Start();
  const bridge = await home.begin('unknown');
  await using operator = await home.operator();
  const first = codeIn(await bridge.ask('s', 'the apple'));
  await operator.call('session.interrupt', { session: 's' });
  await until('its end', () => home.rows('turn.settled').length === 1);
  const other = codeIn(await bridge.ask('s', 'the zebra'));
  expect(other).not.toBe(first);
  await bridge.ask('s', `yes ${other} 2`);
  await until('its answer', () => home.rows('turn.settled').length === 2);
  expect(home.prompts()).toEqual(['zebra']);
});

test.concurrent('a bridge that starts anew asks it anew, in a new Claude Code', async () => {
  await using home = new Start();
  const before = await home.begin('unknown');
  const code = codeIn(await before.ask('s', 'the apple'));
  await before.kill();
  const bridge = await home.begin('unknown');
  await until('the new question', () => home.rows('permission.asked').length === 2, 20_000);
  const other = String(home.rows('permission.asked')[1]?.code);
  expect(await bridge.ask('s', `yes ${code} 2`)).toContain('restarted');
  await bridge.ask('s', `yes ${other} 2`);
  await until('its answer', () => home.rows('turn.settled').length === 1);
  expect(home.prompts()).toEqual(['apple']);
});
