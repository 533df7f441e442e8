// The operator's screen, as an operator has it: the built program in a real terminal, a bridge and simulated Claudes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Home, type RunningBridge } from './support/program.ts';
import { keys, Tui } from './support/tui.ts';

const telegram = 'agent:main:telegram:direct:4242';
const discord = 'agent:main:discord:group:100200';
const sizes = [
  [80, 24],
  [200, 50],
] as const;

const attach = (home: Home, columns: number, rows: number, env: Record<string, string> = {}): Tui =>
  new Tui(['attach', '--state-dir', home.state], home.env({ TZ: 'UTC', ...env }), columns, rows);

/** Sends a message and leaves the answer to itself. */
function says(bridge: RunningBridge, session: string, text: string): void {
  bridge.ask(session, text).catch(() => {});
}

describe.each(sizes)('at %i×%i', (columns, rows) => {
  test('an operator watches three sessions, answers, looks, writes, and leaves', async () => {
    await using home = new Home();
    let bridge = await home.up({ env: { SIM_LINE_MS: '100' } });
    await using tui = attach(home, columns, rows);
    await tui.shows('No sessions yet');
    expect(tui.buffer).toBe('alternate');

    // three sessions at work
    says(bridge, telegram, '[[say:The tests come first.]] [[bash:npm test]] [[say:All green.]]');
    says(bridge, discord, '[[lines:400]]');
    says(bridge, 'webchat', '[[lines:400]]');
    await tui.shows('3 sessions');
    await tui.shows(/2 working · 1 to answer/);
    expect(tui.row('▲ asking')).toMatch(/▸ .*4242/);
    expect(tui.row('◆ working')).toContain('terminal');
    await tui.shows('The tests come first.');
    expect(tui.rows.at(-1)).toBe('');

    // a permission is answered
    tui.type('p');
    await tui.shows('│ npm test');
    await tui.shows('a allow once   s allow for this session   d deny');
    tui.type('a');
    await tui.shows(/\w{5} allowed/);
    await tui.shows('0 to answer');
    await tui.shows('All green.');
    expect(tui.screen).toContain('✓ allowed');

    // a frame is inspected
    tui.type('3');
    await tui.shows('following');
    await tui.shows(/answer\.delta .* Line \d+/);
    tui.type('/permission.decided\r');
    await tui.shows(/permission\.decided .* allow {2}by tui/);
    tui.type(keys.enter);
    await tui.shows('"verdict": "allow"');
    await tui.shows('"by": "tui"');
    tui.type(keys.esc);
    await tui.hides('"verdict"');
    tui.type(keys.esc);
    await tui.hides('/permission.decided');

    // a message is written
    tui.type('m');
    await tui.shows('Message to agent:main:telegram');
    tui.type('hello from the seat');
    await tui.shows('❯ hello from the seat');
    const { cursorX, cursorY } = tui.terminal.buffer.active;
    expect([cursorX, cursorY]).toEqual([21, rows - 3]);
    tui.type(keys.enter);
    await tui.shows('You said: [operator] hello from the seat');
    await tui.shows('operator');

    // the bridge restarts
    await bridge.end();
    await tui.shows('bridge gone');
    expect(tui.screen).toContain('You said: [operator] hello from the seat');
    bridge = await home.up({ env: { SIM_LINE_MS: '20' } });
    await tui.shows('● live');
    says(bridge, telegram, 'Are you back?');
    await tui.shows('You said: [user] Are you back?', 30_000);
    tui.type('3');
    tui.type(keys.enter);
    await tui.shows(/Frame \d+/);
    const seqs = [frameSeq(tui)];
    for (let step = 0; step < 30; step += 1) {
      const before = frameSeq(tui);
      tui.type(keys.left);
      await tui.hides(`Frame ${before} `);
      seqs.push(frameSeq(tui));
    }
    const newest = seqs[0] ?? 0;
    expect(seqs).toEqual(Array.from({ length: 31 }, (_, at) => newest - at));
    tui.type(keys.esc);

    // the terminal changes its size
    tui.resize(columns + 30, rows + 6);
    await tui.shows(new RegExp(`^ synthesis.{${columns}}`));
    await until('the last row', () => tui.rows[rows + 4]?.includes('q quit'));
    tui.resize(60, 16);
    await tui.shows(/^ synthesis {2}● live/);
    await until('a small picture', () => tui.rows[14]?.includes('q quit') && tui.rows[15] === '');
    tui.resize(columns, rows);
    await until('the last row', () => tui.rows[rows - 2]?.includes('q quit'));
    const before = tui.screen;
    tui.type('\x0c');
    await until('the same picture again', () => tui.raw.endsWith('\x1b[?2026l') && tui.screen === before);

    // and the operator leaves; everything else stays
    tui.type('q');
    expect(await tui.exited()).toBe(0);
    expect(tui.buffer).toBe('normal');
    expect(tui.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(tui.raw.lastIndexOf('\x1b[?25l'));
    expect((await home.command('ps', '--json')).stdout).toContain(telegram);
  }, 120_000);
});

const frameSeq = (tui: Tui): number => Number(/Frame (\d+)/.exec(tui.screen)?.[1]);

test('a denial with a reason reaches Claude', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await using tui = attach(home, 80, 24);
  says(bridge, telegram, '[[bash:make deploy]]');
  await tui.shows('1 to answer');
  tui.type('p');
  await tui.shows('│ make deploy');
  tui.type('d');
  await tui.shows('why?');
  tui.type('not on a Friday\r');
  await tui.shows(/\w{5} denied/);
  await tui.shows('✗ denied');
  const { stdout } = await home.command('logs', telegram, '--json');
  expect(stdout).toContain('"reason":"not on a Friday"');
});

test('the session that was named is chosen, and one that is not there is an error before anything is drawn', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'one');
  await bridge.ask('webchat', 'two');
  await using tui = new Tui(['attach', 'webch', '--state-dir', home.state], home.env(), 80, 24);
  await tui.shows(/▸ webchat/);
  await tui.shows('You said: [user] two');
  await using none = new Tui(['attach', 'nobody', '--state-dir', home.state], home.env(), 80, 24);
  expect(await none.exited()).toBe(4);
  expect(none.raw).not.toContain('\x1b[?1049h');
  expect(none.screen).toContain('There is no session "nobody".');
});

test("t shows Claude's own screen, and leaving it comes back to ours", async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'hello');
  await using tui = attach(home, 100, 30);
  await tui.shows('You said: [user] hello');
  tui.type('t');
  await tui.shows('ctrl-p ctrl-q detaches');
  tui.type('\x10\x11');
  await tui.shows('1 Sessions');
  tui.type('m');
  tui.type('keys are ours again');
  await tui.shows('❯ keys are ours again');
});

describe('the terminal is given back', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('on %s', async (signal) => {
    await using home = new Home();
    await home.up();
    await using tui = attach(home, 80, 24);
    await tui.shows('No sessions yet');
    tui.signal(signal);
    expect(await tui.exited()).toBe(130);
    expect(tui.buffer).toBe('normal');
    expect(tui.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(tui.raw.lastIndexOf('\x1b[?25l'));
  });

  test('when the program breaks', async () => {
    await using home = new Home();
    await home.up();
    const bomb = join(home.path, 'bomb.mjs');
    writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('broken on purpose'); });");
    await using tui = attach(home, 80, 24, { NODE_OPTIONS: `--import ${pathToFileURL(bomb).href}` });
    await tui.shows('No sessions yet');
    process.kill(tui.pid, 'SIGUSR2');
    expect(await tui.exited()).not.toBe(0);
    expect(tui.buffer).toBe('normal');
    expect(tui.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(tui.raw.lastIndexOf('\x1b[?25l'));
    await tui.shows('broken on purpose');
  });
});
