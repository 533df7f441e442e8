// Panic ends what Claude Code runs and all that approved commands have left behind, with a bridge, without one, and past
// one that hangs; a person at a terminal lets work go on. The simulated Claude runs real shells below a real host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMark, runVariable } from '../../../src/base/process/run-mark.ts';
import { codeIn } from '../../support/code-in.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { isOver, pause, signal } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { Beaters } from '../support/beaters.ts';
import { Home, type RunningBridge } from '../support/program.ts';

/** A chat says yes to a command that leaves everything behind that beats. */
async function leaveAll(home: Home, bridge: RunningBridge): Promise<Beaters> {
  const beaters = new Beaters(home.cwd);
  const question = await bridge.ask('s', `[[bash:${beaters.command}; echo left]]`);
  expect(await bridge.ask('s', `yes ${codeIn(question)}`)).toContain('left');
  await beaters.beating();
  return beaters;
}

/** Pids of the hosts of this home. */
function hostsOf(home: Home): number[] {
  const sessions = join(home.state, 'sessions');
  return readdirSync(sessions)
    .map((name) => join(sessions, name, 'host.json'))
    .filter((file) => existsSync(file))
    .map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid);
}

interface Ended {
  ended: { session: string | null; processes: number; commands: string[] }[];
  alive: string[];
  unseen: string[];
  running: boolean;
}

test('panic ends every Claude Code with all that it has left behind, and its conversation goes on afterwards', async () => {
  await using home = new Home();
  const bridge = await home.up();
  using beaters = await leaveAll(home, bridge);
  // One more is asked about something.
  expect(codeIn(await bridge.ask('asks', '[[bash:touch precious.txt]]'))).not.toBe('');
  await using operator = await OperatorSocket.open(home.state);
  const hosts = hostsOf(home);
  expect(hosts).toHaveLength(2);

  const { code, stdout, stderr } = await home.command('panic', '--json');

  expect([code, stderr]).toEqual([0, '']);
  expect(beaters.isStill()).toBe(true);
  expect(hosts.filter((pid) => !isOver(pid))).toEqual([]);
  const done = JSON.parse(stdout) as Ended;
  expect(done).toMatchObject({ running: true, denied: 1, alive: [] });
  expect(done.ended.map(({ session }) => session).sort()).toEqual(['asks', 's']);
  const of = done.ended.find(({ session }) => session === 's');
  expect(of?.commands.length).toBe(of?.processes);
  // Claude Code, eight that beat, and what holds two of them.
  expect(of?.processes).toBeGreaterThanOrEqual(10);
  expect(of?.commands.join()).toMatch(/claude\.js \(\d+\).*sh \(\d+\).*script \(\d+\)/);
  for (const exited of operator.events('agent.exited'))
    expect(exited.detail).toMatch(/^the operator stopped everything at /);

  await bridge.kill();
  const next = await home.up();
  expect((await next.ask('s', 'hello')).slice(0, 40)).toContain('The operator stopped everything');
  const no = await atTerminal(home, ['resume'], { typed: 'no' });
  expect([no.code, no.text]).toEqual([1, expect.stringContaining('everything is still stopped')]);
  const yes = await atTerminal(home, ['resume'], { typed: 'yes' });
  expect([yes.code, yes.text]).toEqual([0, expect.stringContaining('Work goes on.')]);
  expect(await next.ask('s', 'hello again')).toContain('hello again');
  // It was resumed, not begun anew.
  const files = readdirSync(join(home.path, '.claude/projects'), { recursive: true, encoding: 'utf8' });
  const told = files
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(home.path, '.claude/projects', name), 'utf8'));
  expect(told.some((text) => text.includes('leave.sh') && text.includes('hello again'))).toBe(true);
  expect(existsSync(join(home.cwd, 'precious.txt'))).toBe(false);
  expect(beaters.isStill()).toBe(true);
});

test('without a bridge panic ends what that one has left, and only a person at a terminal lifts it', async () => {
  await using home = new Home();
  const bridge = await home.up();
  using beaters = await leaveAll(home, bridge);
  const hosts = hostsOf(home);
  await bridge.kill();
  expect(beaters.isStill()).toBe(false);

  const { code, stdout } = await home.command('panic', '--json');

  expect(code).toBe(0);
  expect(beaters.isStill()).toBe(true);
  expect(hosts.filter((pid) => !isOver(pid))).toEqual([]);
  const done = JSON.parse(stdout) as Ended;
  expect(done).toMatchObject({ running: false, alive: [], ended: [{ session: null }] });
  expect(done.ended[0]?.processes).toBeGreaterThanOrEqual(10);

  const refused = await home.command('resume', '-y');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Only a person at a terminal lifts a panic');
  const mark = runMark(join(home.state, 'sessions', 'any'), 'r1');
  const marked = await atTerminal(home, ['resume', '-y'], { env: { [runVariable]: mark } });
  expect([marked.code, marked.text]).toEqual([
    1,
    expect.stringContaining('something that Claude Code has started calls here'),
  ]);
  expect(existsSync(join(home.state, 'panic.json'))).toBe(true);
  const { text } = await atTerminal(home, ['resume', '-y']);
  expect(text).toContain('Work goes on.');
  const next = await home.up();
  expect(await next.ask('s', 'hello again')).toContain('hello again');
});

test('panic past a bridge that stands still ends everything, and names the bridge', async () => {
  await using home = new Home();
  const bridge = await home.up();
  using beaters = await leaveAll(home, bridge);
  const hosts = hostsOf(home);
  const { pid } = bridge.at;
  await pause(pid);
  try {
    const panic = home.command('panic');
    // It does not wait for the bridge as long as it waits for its words.
    await until('the end of all that beats', () => beaters.isStill(), 9_000);
    expect(hosts.filter((each) => !isOver(each))).toEqual([]);
    const { code, stderr } = await panic;
    expect(code).toBe(3);
    expect(stderr).toMatch(/did not answer within 10 s\. \d+ processes were ended: /);
    expect(stderr).toContain(`kill -9 ${pid}`);
  } finally {
    signal(pid, 'SIGCONT');
  }
  // It woke up by itself: nothing is begun all the same.
  await bridge.kill();
  await home.up();
  expect((await home.command('ps')).stderr).toContain('Everything is stopped since');
  expect(beaters.isStill()).toBe(true);
});

const endOfClaude = (operator: OperatorSocket) =>
  until('the end of Claude Code', () => operator.events('agent.exited')[0]);

test('a host that is killed takes down with it what carries the mark of its run, and it is said', async () => {
  await using home = new Home();
  const bridge = await home.up();
  using beaters = await leaveAll(home, bridge);
  await using operator = await OperatorSocket.open(home.state);
  await home.killHosts();
  const exited = await endOfClaude(operator);
  expect(exited.detail).toMatch(
    /its host, was ended[\s\S]*What it left running was ended, too: .*sh \(\d+\)/,
  );
  // What had taken the mark off goes on without its reaper: this is what cannot be told any more.
  const left = beaters.living().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
  for (const line of left) expect(line).toMatch(/\0bare\0|race\.pl/);
});

test('what a host has left that is killed while no bridge runs is ended by the next one, and it is said', async () => {
  await using home = new Home();
  const bridge = await home.up();
  using beaters = await leaveAll(home, bridge);
  await bridge.kill();
  await home.killHosts();
  const marked = () =>
    beaters
      .living()
      .filter((pid) => !/\0bare\0|race\.pl/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')));
  expect(marked()).not.toEqual([]);

  await home.up();
  await using operator = await OperatorSocket.open(home.state);

  const exited = await endOfClaude(operator);
  expect(exited.detail).toMatch(/^the bridge restarted\nWhat it left running was ended, too: .*sh \(\d+\)/);
  expect(marked()).toEqual([]);
});
