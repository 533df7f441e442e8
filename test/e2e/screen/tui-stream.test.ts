// The operator's screen under streams that no Claude would send: fast ones, wide ones, hostile ones.
import { expect, test } from 'vitest';
import { escapePayloads } from '../../cli/escape-payloads.ts';
import { until } from '../../support/until.ts';
import { StandInBridge } from '../support/stand-in-bridge.ts';
import { keys, Tui } from '../support/tui.ts';

const key = 'agent:main:telegram:direct:4242';

function open(
  bridge: StandInBridge,
  columns = 80,
  rows = 24,
  env: Record<string, string> = {},
  term?: string,
): Tui {
  const clean = { PATH: process.env.PATH ?? '', HOME: bridge.path, LANG: 'C.UTF-8', TZ: 'UTC', ...env };
  return new Tui(['attach', '--state-dir', bridge.state], clean, columns, rows, term);
}

function begin(bridge: StandInBridge, session = key, text = 'How is the build?'): void {
  bridge.append(
    session,
    { type: 'session.opened', ingress: 'openai' },
    { type: 'agent.ready', pid: 4711, delivery: 'channel', health: [] },
    { type: 'turn.queued', turn: 't', ingress: 'openai', text, meta: {} },
    { type: 'turn.running', turn: 't' },
  );
}

const delta = (index: number, text: string) =>
  ({ type: 'answer.delta', turn: 't', message: 'm', index, text, final: false }) as const;

test('two hundred events a second: at most ten pictures a second, and nothing is ever cleared', async () => {
  await using bridge = await StandInBridge.open();
  begin(bridge);
  await using tui = open(bridge);
  await tui.shows('Claude');
  const from = tui.raw.length;
  const began = performance.now();
  let index = 0;
  const beat = setInterval(() => {
    for (let each = 0; each < 5; each += 1) bridge.append(key, delta(index, `line ${index++}\n`));
  }, 25);
  await until('600 lines', () => index >= 600, 30_000);
  clearInterval(beat);
  await tui.shows(`line ${index - 1}`);
  const seconds = (performance.now() - began) / 1000;
  const drawn = tui.raw.slice(from);
  expect(drawn.split('\x1b[?2026h').length - 1).toBeLessThanOrEqual(seconds * 10 + 2);
  expect(drawn).not.toMatch(/\x1b\[[23]?J/);
  expect(tui.rows[23]).toBe('');
});

test('every known escape sequence, in every place, leaves the screen and its title as they are', async () => {
  await using bridge = await StandInBridge.open();
  await using tui = open(bridge, 120, 40);
  await tui.shows('No sessions yet');
  let title = '';
  tui.terminal.onTitleChange((text) => {
    title = text;
  });
  begin(bridge);
  for (const [index, { text }] of escapePayloads.entries()) {
    bridge.append(key, delta(index, `${text}\n`));
    bridge.append(key, { type: 'turn.queued', turn: `q${index}`, ingress: 'openai', text, meta: {} });
  }
  const hostile = escapePayloads.map(({ text }) => text).join('');
  begin(bridge, `x${hostile}`, hostile);
  const expires_at = Date.now() + 600_000;
  const asked = { type: 'permission.asked', code: 'kmqtr', tool: `T${hostile}`, expires_at } as const;
  bridge.append(key, { ...asked, input: { command: hostile } }, delta(escapePayloads.length, 'the end\n'));
  await tui.shows('1 to answer');
  const steps: [typed: string, shown: RegExp][] = [
    ['3', /Enter whole/],
    [keys.enter, /^─ Frame \d/m],
    [keys.esc, /^─ 3 Frames/m],
    ['p', /^─ Permission kmqtr/m],
    [`${keys.pageDown}${keys.esc}`, /^─ 4 Permissions/m],
    ['1', /Enter read/],
    [keys.down, /▸ x/],
    ['i', /^─ Session ─/m],
    [keys.esc, /^─ 1 Sessions/m],
  ];
  for (const [typed, shown] of steps) {
    tui.type(typed);
    await tui.shows(shown);
    expect(tui.rows[0]).toMatch(/^ synthesis {2}● live/);
  }
  await until('a whole picture', () => tui.raw.endsWith('\x1b[?2026l'));
  expect(title).toBe('');
  expect(tui.buffer).toBe('alternate');
  expect(tui.rows[0]).toMatch(/^ synthesis {2}● live/);
  expect(tui.rows[39]).toBe('');
  const rest = tui.raw.replace(/\x1b\[\??[\d;]*[mABCDEFGHJKhlsu]|\x1b\[\d* ?q|\r?\n|\x1b\[c|\x1b\[\?u/g, '');
  // One bell is ours: a question waits. Every foreign one would be one more.
  expect(rest.split('\x07')).toHaveLength(2);
  expect(rest.replace('\x07', '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
});

test('wide characters keep the columns in line', async () => {
  await using bridge = await StandInBridge.open();
  begin(bridge, '日本語の会話セッション', '全角の質問です。'.repeat(12));
  await using tui = open(bridge);
  await tui.shows('◆ working');
  const head = tui.row('STATE');
  const row = tui.row('◆ working');
  const { active } = tui.terminal.buffer;
  const line = tui.rows.indexOf(row);
  expect(active.getLine(line)?.getCell(head.indexOf('STATE'))?.getChars()).toBe('◆');
  await tui.shows('全角の質問です。');
});

test('NO_COLOR: weights and inversion, but no colour', async () => {
  await using bridge = await StandInBridge.open();
  begin(bridge);
  await using tui = open(bridge, 80, 24, { NO_COLOR: '1' });
  await tui.shows('◆ working');
  expect(tui.raw).not.toMatch(/\x1b\[(?:3[0-8]|4[0-8]|9\d|10\d)[;m]/);
  expect(tui.raw).toContain('\x1b[7m');
});

test('in a terminal that can do nothing it is a stream', async () => {
  await using bridge = await StandInBridge.open();
  begin(bridge);
  await using tui = open(bridge, 80, 24, {}, 'dumb');
  await tui.shows('message: How is the build?');
  expect(tui.raw).not.toContain('\x1b');
});
