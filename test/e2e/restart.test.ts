// A bridge that stops in order, and what becomes of its Claude Codes: kept for the next one, or ended.
import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type OpenAI from 'openai';
import { expect, test } from 'vitest';
import { promptsGiven } from '../../crash/history/evidence.ts';
import { isRunning } from '../../src/base/process/process-identity.ts';
import { Pty } from '../support/pty.ts';
import { seeded } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { House } from './support/house.ts';

/** `up` in a terminal of its own. */
async function atTerminal(house: House, ...more: string[]): Promise<Pty> {
  const flags = ['up', '--state-dir', house.state, '--cwd', house.cwd, ...house.flags, ...more];
  const env = house.env({ TERM: 'xterm-256color' });
  const terminal = new Pty(house.argv(...flags), { cwd: house.cwd, env, cols: 80, rows: 24 });
  await until('the bridge', () => terminal.raw.includes('The bridge is ready at'), 20_000);
  return terminal;
}

/** Whoever may ask again by itself, as clients of the field do. */
const patient = (house: House): OpenAI => house.bridge.client('s').withOptions({ maxRetries: 2 });

async function askPatiently(client: OpenAI, content: string): Promise<string> {
  const messages = [{ role: 'user' as const, content }];
  const answer = await client.chat.completions.create({ model: 'claude', messages });
  return answer.choices[0]?.message.content ?? '';
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `Line ${from + n}.`).join('|');

test('another bridge takes over: what streams ends in words, the rest comes next, and nobody sees an error', async () => {
  // Somebody writes as fast as answers come: more than a minute allows.
  await using house = await House.open('terminal', { limits: { messagesPerMinute: 10_000 } });
  await house.bridge.ask('s', 'hello');
  const first = house.bridge.ask('long', `[[say:${lines(0, 400)}]]`);
  await until('its beginning', () => house.said().includes('Line 5.'));
  const client = patient(house);
  let isOver = false;
  const asking = (async () => {
    const answers: string[] = [];
    for (let n = 0; !isOver; n += 1) answers.push(await askPatiently(client, `short number ${n}`));
    return answers;
  })();
  await house.begin('--replace');
  const cut = await first;
  isOver = true;
  const answers = await asking;
  expect(answers.every((answer, n) => answer.includes(`short number ${n}`))).toBe(true);
  expect(cut).toMatch(
    /The bridge is being restarted while Claude works on your message[\s\S]*Claude goes on/,
  );
  const rest = await house.bridge.ask('long', 'and?');
  // The words quote the message, which has lines, too.
  const all = `${cut.split('⚠️')[0]}\n${rest}`.match(/Line \d+\./g) ?? [];
  expect(all).toEqual(Array.from({ length: 400 }, (_, n) => `Line ${n}.`));
  await house.bridge.end();
  expect(new Set(house.started()).size).toBe(2);
});

test('with nothing to take over from, `up --replace` just starts', async () => {
  await using house = await House.open();
  await house.bridge.end();
  await house.begin('--replace');
  expect(await house.bridge.ask('s', 'hello')).toContain('hello');
});

test('`down --keep` leaves Claude at work, with its question, and `down` ends it', async () => {
  await using house = await House.open();
  await house.bridge.ask('other', 'hello');
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  const { code } = await house.asked();
  const kept = await house.command('down', '--keep');
  expect([kept.code, kept.stderr]).toEqual([0, expect.stringContaining('2 Claude Codes go on')]);
  expect(house.started().every(isRunning)).toBe(true);
  expect((await house.command('down', '--keep')).code).toBe(6);
  expect(house.started().every(isRunning)).toBe(true);

  await house.begin();
  expect((await house.command('approve', code)).code).toBe(0);
  await until('the end of the turn', () => house.rows('turn.settled').length === 2);
  expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
  expect((await house.command('down')).code).toBe(0);
  expect(house.started().some(isRunning)).toBe(false);
});

test.each([
  ['SIGTERM', undefined, false],
  ['SIGTERM', 'keep', true],
  ['SIGHUP', undefined, true],
  ['SIGHUP', 'end', false],
] as const)('after %s with onExit %s Claude is at work: %s', async (signal, onExit, isKept) => {
  await using house = await House.open('terminal', onExit ? { hosts: { onExit } } : {});
  await house.bridge.ask('s', 'hello');
  house.bridge.child.kill(signal);
  await until('the end of the bridge', () => house.bridge.child.exitCode !== null, 20_000);
  expect(house.bridge.child.exitCode).toBe(0);
  expect(house.bridge.lines.at(-1)).toMatchObject({ event: 'stopped', kept: isKept ? 1 : 0 });
  expect(house.started().map(isRunning)).toEqual([isKept]);
});

test('stopped at any point of handing a message over, it is given to Claude once', async () => {
  await using house = await House.open('terminal', { hosts: { onExit: 'keep' } });
  const random = seeded(5);
  await house.bridge.ask('s', 'hello');
  for (let strike = 0; strike < 6; strike += 1) {
    house.bridge.says('s', `message number ${strike} [[say:Done with ${strike}.]]`);
    const isIt = (line: Record<string, unknown>) => String(line.text).startsWith(`message number ${strike} `);
    await until('the message', () => house.bridge.lines.some(isIt));
    await new Promise((resolve) => setTimeout(resolve, random() * 120));
    await house.bridge.end();
    await house.begin();
    await until('the answer', () => house.rows('turn.settled').length === strike + 2, 30_000);
  }
  await house.bridge.end();
  expect(house.rows('turn.settled').map(({ outcome }) => outcome)).toEqual(Array(7).fill('completed'));
  const given = promptsGiven(house.path);
  for (let strike = 0; strike < 6; strike += 1)
    expect(given.filter((text) => text.includes(`message number ${strike} `))).toHaveLength(1);
  expect(new Set(house.started()).size).toBe(1);
});

test('a bridge in the background keeps them at a signal, and is replaced by another in the background', async () => {
  await using house = await House.open();
  await house.bridge.end();
  const inBackground = async (...more: string[]) => {
    const { stdout } = await house.command('up', '-d', '--json', '--cwd', house.cwd, ...house.flags, ...more);
    return (JSON.parse(stdout) as { pid: number }).pid;
  };
  const first = await inBackground();
  expect((await house.command('send', '--create', 's', 'hello')).code).toBe(0);
  const pid = await inBackground('--replace');
  expect([isRunning(first), isRunning(pid)]).toEqual([false, true]);
  expect((await house.command('send', 's', 'again')).stdout).toContain('I remember 1 earlier');
  process.kill(pid, 'SIGTERM');
  await until('the end of the bridge', () => !isRunning(pid), 20_000);
  expect(house.started().map(isRunning)).toEqual([true]);
  expect((await house.command('down')).stderr).toContain('was ended');
});

test.each([
  ['keep', '\r', true],
  ['end', 'end\r', false],
] as const)('Ctrl-C at a terminal asks what becomes of them: %s', async (_choice, keys, isKept) => {
  await using house = await House.open();
  await house.bridge.end();
  await using terminal = await atTerminal(house);
  await house.command('send', '--create', 's', 'hello');
  terminal.type('\u0003');
  await until('the question', () => terminal.screen.includes('What becomes of it? (keep, end) [keep]:'));
  // Whatever comes meanwhile is served.
  expect((await house.command('send', 's', 'again')).code).toBe(0);
  terminal.type(keys);
  expect(await terminal.exited()).toBe(0);
  expect(/1\s+Claude\s+Code\s+goes\s+on/.test(terminal.screen)).toBe(isKept);
  expect(house.started().map(isRunning)).toEqual([isKept]);
});

test('a second Ctrl-C leaves at once, and Claude at work; with none there is no question', async () => {
  await using house = await House.open();
  await house.bridge.end();
  await using first = await atTerminal(house);
  await house.command('send', '--create', 's', 'hello');
  first.type('\u0003');
  await until('the question', () => first.screen.includes('What becomes of it?'));
  first.type('\u0003');
  expect(await first.exited()).toBe(130);
  expect(first.screen).toContain('1 Claude Code goes on');
  expect(house.started().map(isRunning)).toEqual([true]);
  expect((await house.command('down')).stderr).toContain('was ended');

  await using second = await atTerminal(house);
  second.type('\u0003');
  expect(await second.exited()).toBe(0);
  expect(second.screen).not.toContain('What becomes of');
});

test('without a bridge they end when the time is over that the configuration gives them', async () => {
  await using house = await House.open('terminal', { hosts: { graceMs: 500 } });
  await house.bridge.ask('s', 'hello');
  await house.bridge.kill();
  await until('the end of Claude Code', () => !house.started().some(isRunning), 20_000);
});

test('a start that fails takes nothing with it', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  await house.bridge.kill();
  // The last thing that a start writes, when it has taken over what there is.
  rmSync(join(house.state, 'bridge.json'));
  mkdirSync(join(house.state, 'bridge.json'));
  await house.begin();
  expect(house.bridge.lines[0]).toHaveProperty('error');
  await until('its end', () => house.bridge.child.exitCode !== null);
  expect(house.started().map(isRunning)).toEqual([true]);
  rmdirSync(join(house.state, 'bridge.json'));
  await house.begin();
  expect(await house.bridge.ask('s', 'again')).toContain('I remember 1 earlier');
});

test('when the machine was started anew nothing has failed: the next message starts Claude', async () => {
  await using house = await House.open('terminal');
  await house.bridge.ask('s', 'hello');
  await house.bridge.kill();
  await house.killHosts();
  await house.begin();
  const [row] = JSON.parse((await house.command('ps', '--json')).stdout);
  expect(row).toMatchObject({ state: 'stopped', failure: null, failure_words: null, failure_remedy: null });
  expect(await house.command('ps', '--check')).toMatchObject({ code: 0 });
  expect(await house.bridge.ask('s', 'again')).toContain('I remember 1 earlier');
});
