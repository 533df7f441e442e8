// A bridge that is killed takes nothing with it: Claude Code goes on, and the next bridge goes on with it.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { promptsGiven, rowsOnDisk } from '../../../crash/history/evidence.ts';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { OpenClawClient } from '../../support/openclaw-client.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';
import { House, type Road } from '../support/house.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each<[Road, number]>([
  ['terminal', 1],
  ['channel', 2],
])(
  'killed again and again while Claude writes, to whom messages go by its %s, it loses no line and tells none twice',
  async (road, seed) => {
    await using house = await House.open(road);
    const random = seeded(seed);
    await house.bridge.ask('s', 'hello');
    const before = house.said();
    const lines = Array.from({ length: 80 }, (_, n) => `This is line ${n}.`);
    house.bridge.says('s', `[[say:${lines.join('|')}]]`);
    // Not that of `hello`: a bridge that is killed before it has the message takes it along, as its client sees.
    await house.next('turn.running', 2);
    for (let strike = 0; strike < 4; strike += 1) {
      await wait(random() * 400);
      await house.killed();
      await house.next('agent.adopted');
    }
    expect(await house.settled(2)).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }]);
    expect(house.said().slice(before.length).trimEnd()).toBe(lines.join('\n'));
    expect(new Set(house.started()).size).toBe(1);
  },
);

test.each<Road>(['terminal', 'channel'])(
  'a question outlives two bridges and is answered by its code, to a Claude that has its messages by the %s',
  async (road) => {
    await using house = await House.open(road);
    house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
    const { code } = await house.asked();
    for (let strike = 0; strike < 2; strike += 1) {
      await house.killed();
      await house.next('agent.adopted');
    }
    expect(existsSync(house.ran)).toBe(false);
    const approved = await house.command('approve', code);
    expect(approved.stderr + approved.stdout).toContain(code);
    expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
    expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
    expect(house.rows('permission.asked')).toHaveLength(1);
    expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  },
);

test('a verdict that was given in the moment of the kill is applied once', async () => {
  await using house = await House.open();
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  const { code } = await house.asked();
  void house.command('approve', code);
  await until('the verdict', () => house.rows('permission.decided').length > 0);
  await house.killed();
  expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
  expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
});

test('a question expires when it was to, however often the bridge was started anew', async () => {
  await using house = await House.open('terminal', { timeouts: { permissionMs: 6_000 } });
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  const asked = await house.asked();
  for (let strike = 0; strike < 3; strike += 1) await house.killed();
  const settled = await until('its end', () => house.rows('permission.settled')[0], 20_000);
  expect(settled).toMatchObject({ code: asked.code });
  expect(house.rows('permission.decided')).toMatchObject([{ verdict: 'deny', by: 'expiry' }]);
  const at = rowsOnDisk(house.state).find(({ event }) => event.type === 'permission.decided')?.at ?? 0;
  expect(at - asked.expires_at).toBeGreaterThanOrEqual(0);
  expect(at - asked.expires_at).toBeLessThan(2_000);
  expect(existsSync(house.ran)).toBe(false);
});

test('a tool that runs while the bridge is away has run once, and its turn ends as ever', async () => {
  await using house = await House.open();
  house.bridge.says('s', `[[bash:sleep 1; echo ran >> ${house.ran}]]`);
  const { code } = await house.asked();
  await house.command('approve', code);
  await house.next('permission.sent');
  await house.bridge.kill();
  await until('the tool', () => existsSync(house.ran));
  await house.begin();
  expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
});

test.each<[string, 'handed out' | 'not handed out', Road]>([
  ['runs in the hub', 'handed out', 'terminal'],
  ['runs in the hub', 'handed out', 'channel'],
  ['did not get to the hub', 'not handed out', 'terminal'],
])(
  'a tool of the hub that Claude waits for, and that %s (%s, %s), runs once and is answered',
  async (_, when, road) => {
    await using house = await House.open(road, { policy: [{ tool: 'exec', decision: 'allow' }] });
    const ran: unknown[] = [];
    const result = Promise.withResolvers<string>();
    const openclaw = new OpenClawClient({
      url: () => house.bridge.at.url,
      token: readFileSync(house.bridge.at.token_file, 'utf8').trim(),
      sessionKey: 'agent:main:main',
      sessionId: 'session-of-the-test',
      runTool: (_name, args) => {
        ran.push(args);
        return result.promise;
      },
      // It gives up after eight times, and a start may take long on a busy machine.
      pause: () => begun.promise,
    });
    const begun = Promise.withResolvers<void>();
    const answer = openclaw.say('[[tool:exec {"command":"date"}]][[say:The end.]]');
    if (when === 'handed out') await until('the tool', () => ran.length > 0, 30_000);
    else await until('the call', () => house.rows('tool.called').length > 0, 30_000);
    await house.bridge.kill();
    result.resolve('it ran');
    await house.begin();
    begun.resolve();
    expect(await answer).toMatch(/exec answered: it ran[\s\S]*The end\.$/);
    expect(ran).toEqual([{ command: 'date' }]);
    expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  },
);

test('a turn that ends while no bridge is there is told by the next one', async () => {
  await using house = await House.open();
  const lines = Array.from({ length: 20 }, (_, n) => `Line ${n}.`);
  house.bridge.says('s', `[[say:${lines.join('|')}]]`);
  await house.next('turn.running');
  await house.bridge.kill();
  await wait(1_500);
  await house.begin();
  expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  expect(house.said().trimEnd()).toBe(lines.join('\n'));
});

test('killed at any point of handing a message over, it is given to Claude once', async () => {
  await using house = await House.open();
  const random = seeded(3);
  await house.bridge.ask('s', 'hello');
  for (let strike = 0; strike < 8; strike += 1) {
    house.bridge.says('s', `message number ${strike} [[say:Done with ${strike}.]]`);
    const isIt = ({ text }: Record<string, unknown>) => String(text).startsWith(`message number ${strike} `);
    // On disk: one that is not was not taken.
    await until('the message', () => house.rows('turn.queued').some(isIt));
    await wait(random() * 120);
    await house.killed();
    await until('the answer', () => house.rows('turn.settled').length === strike + 2, 30_000);
  }
  await house.bridge.end();
  expect(house.rows('turn.settled').map(({ outcome }) => outcome)).toEqual(Array(9).fill('completed'));
  const given = promptsGiven(house.path);
  for (let strike = 0; strike < 8; strike += 1)
    expect(given.filter((text) => text.includes(`message number ${strike} `))).toHaveLength(1);
});

test('a Claude Code that was still starting is ended, and its message given to another', async () => {
  await using house = await House.open();
  house.bridge.says('s', 'hello');
  await house.next('agent.starting');
  await house.killed();
  expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  expect(house.rows('agent.adopted')).toEqual([]);
  expect(promptsGiven(house.path).filter((text) => text.includes('hello'))).toHaveLength(1);
});

test('what rests goes on with the next message, in the same Claude Code', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  await house.killed();
  expect(await house.bridge.ask('s', 'again')).toContain('again');
  await house.bridge.end();
  expect(house.started()).toHaveLength(1);
});

test('where it would be started otherwise now, it is replaced as soon as it has nothing to do', async () => {
  await using house = await House.open('channel');
  await house.bridge.ask('s', 'hello');
  await house.bridge.kill();
  // Its channel server does not find a bridge elsewhere.
  house.port = await lastingPort();
  await house.begin();
  await house.next('agent.adopted');
  expect(await house.bridge.ask('s', 'again')).toMatch(/I remember [12] earlier/);
  await house.bridge.end();
  expect(house.started()).toHaveLength(2);
  expect(house.rows('agent.exited')[0]).toMatchObject({ detail: expect.stringContaining('other settings') });
});

test('where it has no channel server, a bridge may be at another port', async () => {
  await using house = await House.open('terminal');
  await house.bridge.ask('s', 'hello');
  await house.bridge.kill();
  house.port = await lastingPort();
  await house.begin();
  expect(await house.bridge.ask('s', 'again')).toContain('I remember 1 earlier');
  await house.bridge.end();
  expect(house.started()).toHaveLength(1);
});

test('with a policy that it would not ask, it does not go on', async () => {
  await using house = await House.open();
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  await house.next('permission.asked');
  await house.bridge.kill();
  house.configure({ policy: [{ tool: 'Bash', decision: 'deny' }] });
  await house.begin();
  expect(await house.settled(1)).toMatchObject([{ outcome: 'failed', code: 'bridge_restarted' }]);
  expect(house.rows('agent.adopted')).toEqual([]);
  expect(existsSync(house.ran)).toBe(false);
});

test('a host that is killed ends the answer of its chat alone, in words, and the next message goes on', async () => {
  await using house = await House.open();
  await house.bridge.ask('other', 'hello');
  const cut = house.bridge.ask('s', '[[say:I begin|and go on]][[hang]]');
  await until('its beginning', () => house.said().includes('I begin'));
  const pids = house.bridge.lines.flatMap(({ event, session, pid }) =>
    event === 'agent.ready' && session === 's' ? [Number(pid)] : [],
  );
  // Its parent: the process that has its terminal.
  const host = Number(readFileSync(`/proc/${pids[0]}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  process.kill(host, 'SIGKILL');
  const before = performance.now();
  expect(await cut).toMatch(/I begin[\s\S]*⚠️ Claude Code ended/);
  // A tenth of it on a quiet machine; a Claude Code that hears no signal is killed after half a second.
  expect(performance.now() - before).toBeLessThan(1_000);
  expect(isRunning(pids[0] ?? 0)).toBe(false);
  expect(await house.bridge.ask('s', 'again')).toContain('again');
  expect(await house.bridge.ask('other', 'again')).toContain('I remember 1 earlier');
  await house.bridge.end();
  expect(house.started()).toHaveLength(3);
});

test('what a killed bridge has left is ended by `down` and by `panic`, and counted', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  const [pid] = house.started();
  await house.bridge.kill();
  const down = await house.command('down');
  expect([down.code, down.stdout + down.stderr]).toEqual([0, expect.stringContaining('was ended')]);
  expect(isRunning(pid ?? 0)).toBe(false);
  expect((await house.command('down')).code).toBe(6);

  await house.begin();
  await house.bridge.ask('s', 'again');
  await house.bridge.kill();
  const panic = await house.command('panic', '--json');
  expect(JSON.parse(panic.stdout)).toMatchObject({
    running: false,
    ended: [{ session: null, processes: 1, commands: [expect.stringContaining('claude.js (')] }],
  });
  expect(isRunning(house.started().at(-1) ?? 0)).toBe(false);
});
