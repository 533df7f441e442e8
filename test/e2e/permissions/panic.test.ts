// `synthesis panic` on the built program with simulated Claudes at everything a Claude can be at.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const stopped = /The operator stopped everything at \d{4}-\d\d-\d\d \d\d:\d\d UTC/;

/** How often Claude was given a text, from the transcripts it keeps. */
function given(home: Home, text: string): number {
  const folder = join(home.path, '.claude/projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"user"') && line.includes(text)).length;
}

/** Answers of a session that are whole. That of one which was told no may be so, too, before its Claude Code ends. */
const completed = (operator: OperatorSocket, key: string): number =>
  operator.rows.filter(
    ({ session, event }) => session === key && event.type === 'turn.settled' && event.outcome === 'completed',
  ).length;

interface Work {
  /** The answers that are on their way, by session. */
  answers: Record<string, Promise<string>>;
  file: string;
}

/** One Claude asks, one writes, one waits for a tool of its hub, and behind one two messages wait in line. */
async function everythingAtWork(home: Home, bridge: RunningBridge): Promise<Work> {
  await using operator = await OperatorSocket.open(home.state);
  const file = join(home.cwd, 'made');
  const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];
  const asked = bridge.ask('asks', `[[write:${file} hello]]`);
  const called = bridge.client('calls').chat.completions.create({
    model: 'claude',
    tools,
    messages: [{ role: 'user', content: '[[tool:mcp__synthesis__look {}]]' }],
  });
  expect(await asked).toContain('`yes ');
  expect((await called).choices[0]?.finish_reason).toBe('tool_calls');
  const streams = bridge.ask('streams', '[[say:The beginning.|It goes on.]][[wait:60000]][[say:The end.]]');
  const front = bridge.ask('line', '[[wait:60000]]');
  await until(
    'four turns that run, and an answer',
    () => operator.events('turn.running').length === 4 && operator.events('answer.delta').length > 0,
  );
  for (const text of ['second of the line', 'third of the line'])
    expect((await home.command('send', 'line', text, '--no-wait')).code).toBe(0);
  return { answers: { streams, front }, file };
}

test('everything stops in words, nothing begins, and what waited goes on in order when the operator says so', async () => {
  await using home = new Home();
  home.configure({ policy: [{ tool: 'look', decision: 'allow' }] });
  const bridge = await home.up();
  const { answers, file } = await everythingAtWork(home, bridge);
  await using operator = await OperatorSocket.open(home.state);

  const { code, stdout } = await home.command('panic', '--reason', 'a runaway loop', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    already: false,
    kept: true,
    reason: 'a runaway loop',
    interrupted: 4,
    denied: 1,
    dropped: 1,
    waiting: 2,
  });
  const streams = await answers.streams;
  expect(streams).toContain('The beginning.');
  expect(streams).toMatch(stopped);
  expect(streams).not.toContain('The end.');
  expect(streams).not.toContain('runaway');
  expect(await answers.front).toMatch(stopped);
  await until('the end of every Claude Code', () => operator.events('agent.exited').length === 4);

  expect(await bridge.ask('streams', 'go on')).toMatch(stopped);
  expect(await bridge.ask('unheard of', 'hello')).toContain('Your message was not taken');
  const sent = await home.command('send', 'line', 'a fourth');
  expect([sent.code, sent.stderr]).toEqual([1, expect.stringContaining('Nothing was sent.')]);
  expect((await home.command('restart', 'line')).stderr).toContain('Nothing was restarted.');
  const again = await home.command('panic', '--reason', 'later');
  expect(again.stderr).toMatch(
    /Everything is stopped since .* UTC by the operator, at the command line: a runaway loop/,
  );
  for (const command of ['ps', 'doctor']) {
    const { stdout: out, stderr } = await home.command(command);
    expect(out + stderr).toContain('a runaway loop');
  }
  expect(given(home, 'of the line')).toBe(0);
  expect(existsSync(file)).toBe(false);
  expect(operator.events('agent.starting')).toHaveLength(4);

  const resumed = await atTerminal(home, ['resume', '-y']);
  expect(resumed.text).toContain('2 messages that waited are handed over now.');
  await until('both answers', () => completed(operator, 'line') === 2);
  expect([given(home, 'second of the line'), given(home, 'third of the line')]).toEqual([1, 1]);
  const order = operator.rows
    .flatMap(({ event }) => (event.type === 'turn.running' ? [String(event.turn)] : []))
    .slice(-2);
  const queued = operator.rows
    .flatMap(({ event }) => (event.type === 'turn.queued' ? [String(event.turn)] : []))
    .slice(-2);
  expect(order).toEqual(queued);
  expect(await bridge.ask('streams', 'go on')).toContain('You said: [user] go on');
  expect((await atTerminal(home, ['resume'])).text).toContain('Nothing is stopped.');
  expect(existsSync(file)).toBe(false);
});

test('a bridge that is killed right after it said so is still stopped when it comes back, and loses no message', async () => {
  await using home = new Home();
  home.configure({ policy: [{ tool: 'look', decision: 'allow' }] });
  const bridge = await home.up();
  const { answers, file } = await everythingAtWork(home, bridge);
  for (const answer of Object.values(answers)) answer.catch(() => {});
  expect((await home.command('panic')).code).toBe(0);
  await bridge.kill();

  const next = await home.up();
  expect((await home.command('ps')).stderr).toContain('Everything is stopped since');
  expect(await next.ask('asks', 'and?')).toMatch(stopped);
  await using operator = await OperatorSocket.open(home.state);
  await until('the journal', () => operator.events('bridge.panicked').length === 1);
  expect(operator.events('turn.running')).toHaveLength(4);
  expect(next.lines.map(({ event }) => event)).not.toContain('agent.starting');

  expect((await atTerminal(home, ['resume', '-y'])).code).toBe(0);
  await until('both answers', () => completed(operator, 'line') === 2);
  expect([given(home, 'second of the line'), given(home, 'third of the line')]).toEqual([1, 1]);
  expect(existsSync(file)).toBe(false);
});

test('without a running bridge the next start is stopped, until somebody lets it go on', async () => {
  await using home = new Home();
  home.configure({ policy: [{ tool: 'look', decision: 'allow' }] });
  expect((await home.command('panic', '--reason', 'holidays')).stderr).toContain('No bridge is running');
  const bridge = await home.up();
  expect(await bridge.ask('s', 'hello')).toMatch(stopped);
  expect((await home.command('ps', '--check')).code).toBe(7);
  await bridge.end();
  expect((await atTerminal(home, ['resume', '-y'])).text).toContain('Work goes on.');
  const next = await home.up();
  expect(await next.ask('s', 'hello')).toContain('You said: [user] hello');
});
