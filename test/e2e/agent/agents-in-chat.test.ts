// Agents of the simulated Claude, as a chat, an operator and a scheduled run see them: the whole program over HTTP.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';

/** Of the user himself, beside those of the bridge. */
function writeSettings(house: House, settings: object): void {
  const folder = join(house.path, '.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** Its Claude Codes do not ask about shell commands. */
async function withShell(config: object = {}): Promise<House> {
  const house = await House.open('terminal', config);
  writeSettings(house, { permissions: { allow: ['Bash'] } });
  return house;
}

/** An agent that works until the file is there. */
const agent = (name: string, file: string) =>
  `[[agent:${name}|[[bash:until [ -e ${file} ]; do sleep 0.02; done]][[say:${name} is done]]]]`;
const asking = (house: House) =>
  `[[agent:tests|[[bash:echo ran >> ${house.ran}]][[say:all green]]]][[say:started]]`;
const make = (house: House, name: string) => writeFileSync(join(house.cwd, name), '');
const codeIn = (text: string) => /`yes ([a-km-z]{5})/.exec(text)?.[1];
const times = (text: string, words: string) => text.split(words).length - 1;
const settled = (house: House, count: number) =>
  until(`the end of turn ${count}`, () => house.rows('turn.settled').length >= count, 30_000);

/** A scheduled run, as OpenClaw asks for one. @returns its whole answer */
async function runsJob(house: House, text: string): Promise<string> {
  const { url } = house.bridge.at;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.bridge.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'claude',
      stream: true,
      prompt_cache_key: 'openclaw-cron-0123456789abcdef0123456789abcdef',
      messages: [
        { role: 'system', content: 'You are a personal assistant running inside OpenClaw.' },
        { role: 'user', content: `[cron:7f3a nightly report] ${text}` },
      ],
      tools: [{ type: 'function', function: { name: 'exec', parameters: { type: 'object' } } }],
    }),
  });
  expect(response.status).toBe(200);
  const chunks = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return chunks
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}

test.each([
  ['yes', true],
  ['no', false],
])(
  'a question of an agent is asked in the chat, stays open behind other messages, and %s decides',
  async (word, runs) => {
    await using house = await House.open();
    let read = await house.bridge.ask('s', asking(house));
    const { code } = await house.asked();
    await settled(house, 1);
    read += await house.bridge.ask('s', 'what is 2+2?');
    expect(read).toContain('what is 2+2?');
    expect(codeIn(read), read).toBe(code);
    expect(/[^\n]* asks [\s\S]*Approve\?/.exec(read)?.[0], 'which agent asks').toContain('tests');
    const approvals = await house.command('approvals');
    expect(approvals.stdout).toContain(code);
    expect(approvals.stdout, 'which agent asks').toContain('tests');
    expect(house.rows('permission.settled')).toEqual([]);
    const verdict = await house.bridge.ask('s', `${word} ${code}`);
    expect(verdict).not.toContain('Already answered');
    await until('its end', () => house.rows('task.ended').some(({ told }) => told));
    await settled(house, 3);
    read = verdict + (await house.bridge.ask('s', 'and now?'));
    expect(times(read, 'Agent "tests" finished all green'), read).toBe(1);
    expect(read).toContain('and now?');
    expect(existsSync(house.ran)).toBe(runs);
    expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  },
);

test('agents that end while Claude writes are told to the chat once, and `wait` waits for agents', async () => {
  await using house = await withShell();
  const asked = house.bridge.ask('s', `${agent('red', 'go')}${agent('green', 'go')}[[lines:40]]`);
  await until('Claude to write', () => house.rows('answer.delta').length > 0);
  make(house, 'go');
  let read = await asked;
  await settled(house, 2);
  read += await house.bridge.ask('s', `${agent('blue', 'later')}[[say:started]]`);
  for (const words of ['red is done', 'green is done', 'Line 40', 'started'])
    expect(times(read, words), read).toBe(1);
  await settled(house, 3);
  const busy = await house.command('wait', 's', '--timeout', '0.1');
  expect([busy.code, busy.stdout], busy.stderr).toEqual([3, '']);
  const waiting = house.command('wait', 's');
  make(house, 'later');
  expect((await waiting).code).toBe(0);
  // Not until Claude has said what became of it.
  expect(house.said()).toContain('blue is done');
  await settled(house, 4);
  expect(await house.bridge.ask('s', 'and now?')).toMatch(/blue is done[\s\S]*and now\?/);
});

test('a scheduled run whose agent takes longer than its turn is one answer, with what Claude says at last', async () => {
  await using house = await withShell();
  let isOver = false;
  const agents = `${agent('red', 'go')}${agent('green', 'later')}`;
  const run = runsJob(house, `${agents}[[say:I have started it.]]`).finally(() => {
    isOver = true;
  });
  await settled(house, 1);
  // Whatever else is asked meanwhile is answered, and time goes by.
  await house.bridge.ask('other', 'hello');
  expect(isOver).toBe(false);
  make(house, 'go');
  await settled(house, 3);
  make(house, 'later');
  const answer = await run;
  expect(answer).toMatch(
    /^I have started it\.[\s\S]*"red" finished red is done[\s\S]*"green" finished green is done/,
  );
  expect(house.rows('agent.exited')).toEqual([]);
});

test('a scheduled run whose agent takes longer than is allowed ends with its Claude', async () => {
  await using house = await withShell({ timeouts: { unattendedMs: 1_000 } });
  const answer = await runsJob(house, `${agent('red', 'never')}[[say:I have started it.]]`);
  expect(answer).toContain('I have started it.');
  const exited = await until('the end of its Claude', () => house.rows('agent.exited')[0]);
  expect(exited).toMatchObject({ detail: expect.stringContaining('timeouts.unattendedMs') });
  expect(answer).toContain('its background work stopped with it. `agent red: ');
  expect(answer).toContain('timeouts.unattendedMs');
});

test('a chat is told when Claude Code dies with its agents, and goes on', async () => {
  await using house = await withShell();
  await house.bridge.ask('s', `${agent('red', 'never')}[[say:started]]`);
  await settled(house, 1);
  process.kill(house.started().at(-1) ?? expect.unreachable(), 'SIGKILL');
  await settled(house, 2);
  const answer = await house.bridge.ask('s', 'are you well?');
  expect(answer).toContain('Claude Code stopped, and its background work stopped with it. `agent red: ');
  expect(answer).toContain('are you well?');
  expect(times(await house.bridge.ask('s', 'and now?'), 'background')).toBe(0);
});

test('an agent of a scheduled run is told that nobody can be asked, and goes on', async () => {
  await using house = await House.open();
  expect(await runsJob(house, asking(house))).toContain('Agent "tests" finished all green');
  expect(existsSync(house.ran)).toBe(false);
});

test('a question of an agent outlives the bridge, and so does the agent', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', asking(house));
  const { code } = await house.asked();
  await settled(house, 1);
  await house.killed();
  await house.next('agent.adopted');
  expect(await house.bridge.ask('s', 'and now?')).toContain('and now?');
  expect(existsSync(house.ran)).toBe(false);
  expect(await house.bridge.ask('s', `yes ${code}`)).not.toMatch(/Already answered|is over/);
  await settled(house, 3);
  expect(existsSync(house.ran)).toBe(true);
  expect(house.said()).toContain('Agent "tests" finished all green');
  expect(house.rows('permission.asked')).toHaveLength(1);
  expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  expect(new Set(house.started()).size).toBe(1);
});

test('what ends while no bridge is there is told by the next one, to the chat that began it', async () => {
  await using house = await withShell();
  await house.bridge.ask('s', `${agent('red', 'go')}${agent('green', 'go')}[[say:started]]`);
  await settled(house, 1);
  await house.bridge.kill();
  make(house, 'go');
  await house.begin();
  await until('both', () => house.rows('task.ended').filter(({ told }) => told).length === 2);
  await until('its words', () =>
    /red is done[\s\S]*green is done|green is done[\s\S]*red is done/.test(house.said()),
  );
  const read = await house.bridge.ask('s', 'and now?');
  for (const name of ['red', 'green']) expect(times(read, `${name} is done`), read).toBe(1);
});

test('an empty answer is not the answer before it, and what a Stop hook makes Claude say is read once', async () => {
  await using house = await House.open();
  expect(await house.bridge.ask('s', '[[say:Yes, you may.]]')).toBe('Yes, you may.');
  const nothing = await house.bridge.ask('s', '[[empty]]');
  expect(nothing).not.toContain('Yes, you may.');
  expect(nothing.trim()).not.toBe('');

  const block = JSON.stringify({ decision: 'block', reason: '[[say:The tests pass.]]' });
  const command = `grep -q '"stop_hook_active":true' || echo '${block}'`;
  writeSettings(house, { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
  let read = await house.bridge.ask('hooked', '[[say:Lions are done.]]');
  await until('the rest', () => times(house.said(), 'The tests pass.') === 1);
  read += await house.bridge.ask('hooked', '[[say:Bears are done.]]');
  await until('the rest', () => times(house.said(), 'The tests pass.') === 2);
  read += await house.bridge.ask('hooked', '[[say:All is done.]]');
  for (const words of ['Lions are done.', 'Bears are done.', 'All is done.'])
    expect(times(read, words), read).toBe(1);
  expect(times(read, 'The tests pass.'), read).toBeGreaterThanOrEqual(2);
  expect(read.indexOf('The tests pass.')).toBeLessThan(read.indexOf('Bears are done.'));
});
