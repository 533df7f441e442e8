// What a command prints, when everything that it was told is hostile.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { approvals, decide } from '../../src/cli/commands/approvals.ts';
import { logs } from '../../src/cli/commands/journal/logs.ts';
import { metrics } from '../../src/cli/commands/metrics.ts';
import { cost } from '../../src/cli/commands/sessions/cost.ts';
import { inspect } from '../../src/cli/commands/sessions/inspect.ts';
import { ps } from '../../src/cli/commands/sessions/ps.ts';
import { rename } from '../../src/cli/commands/sessions/rename.ts';
import { send } from '../../src/cli/commands/sessions/send.ts';
import { sessionAction } from '../../src/cli/commands/sessions/session-actions.ts';
import { wait } from '../../src/cli/commands/sessions/wait.ts';
import { LiveTable, liveLines } from '../../src/cli/output/live/live-table.ts';
import { printText, redraw, say, sayText } from '../../src/cli/output/out.ts';
import { printLines } from '../../src/cli/output/painted.ts';
import { RowWords } from '../../src/cli/output/row-printer.ts';
import { gatewayWords } from '../../src/cli/output/words/gateway-words.ts';
import { frameWords } from '../../src/cli/tui/frames/frame-words.ts';
import { line } from '../../src/cli/tui/text/line.ts';
import { paint } from '../../src/cli/tui/text/paint.ts';
import type { SessionDetail } from '../../src/domain/views/control.ts';
import type { AskRow } from '../../src/domain/views/session/ask-row.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { StandInBridge } from '../e2e/support/stand-in-bridge.ts';
import { escapePayloads } from './escape-payloads.ts';

const forbidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What the live table and the screen write themselves. */
const ownEscapes = /\u001b\[(?:\?2026[hl]|\?7[hl]|\d+A|[JK]|[\d;]*m)|\r/g;

let bridge: StandInBridge;
beforeAll(async () => {
  bridge = await StandInBridge.open();
});
afterAll(() => bridge[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** Everything written to the terminal while `work` runs. */
async function printed(work: () => unknown): Promise<string> {
  const written: string[] = [];
  const take = (text: string | Uint8Array) => written.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
  }
  return written.join('');
}

const at = '2026-01-01T00:00:00.000Z';

const askOf = (foreign: string): AskRow => ({
  code: 'kqzfd',
  session: foreign,
  agent: { id: foreign, title: foreign },
  tool: foreign,
  input: { [foreign]: foreign },
  rationale: foreign,
  cut: false,
  session_rules: [foreign],
  question: foreign,
  digest: '0123456789abcdef',
  needs: null,
  rule: foreign,
  expires_at: at,
});

const detailOf = (foreign: string): SessionDetail => ({
  id: foreign,
  key: foreign,
  label: foreign,
  guessed: true,
  identity: foreign,
  ingress: foreign,
  state: 'asking',
  claude_session: foreign,
  pid: 1,
  delivery: 'terminal',
  health: [{ code: foreign, words: foreign }],
  queued: 1,
  asking: [foreign],
  cwd: foreign,
  memory: foreign,
  stays: [foreign],
  permission_mode: foreign,
  permission_mode_source: `switched from ${foreign}`,
  sandbox: 'required',
  contain: 'required',
  waits_for_restart: { permission_mode: foreign, cwd: foreign, sandbox: 'off', contain: null },
  driver: foreign,
  working_since: at,
  agents: [{ id: foreign, title: foreign, since: at, doing: foreign }],
  model: foreign,
  context_percent: 1,
  context_tokens: 1,
  cost_days: [{ day: foreign, usd: 1 }],
  cost_usd: 1,
  failure: foreign,
  failure_words: `${foreign}\n${foreign}`,
  failure_remedy: foreign,
  opened_at: at,
  touched_at: new Date().toISOString(),
  asks: [askOf(foreign)],
  turns: [
    {
      id: 't',
      ingress: foreign,
      adopted: false,
      origin: null,
      text: foreign,
      sender: foreign,
      accepted_at: at,
      forwarded: false,
      phase: 'failed',
      code: foreign,
      answer: foreign,
    },
  ],
  screen: [foreign],
  status: { model: foreign },
});

const eventsOf = (foreign: string): SessionEvent[] => [
  { type: 'turn.queued', turn: 't', ingress: 'openai', text: foreign, sender: { name: foreign }, meta: {} },
  { type: 'turn.adopted', turn: 't', text: foreign },
  { type: 'turn.cancelling', turn: 't', by: foreign },
  { type: 'answer.delta', turn: 't', message: foreign, index: 0, text: foreign, final: true },
  { type: 'answer.repaired', turn: 't', text: foreign },
  { type: 'turn.settled', turn: 't', outcome: 'failed', detail: foreign },
  { type: 'agent.wanted', by: foreign },
  { type: 'agent.dialog', dialog: foreign, screen: foreign, failure: 'start_dialog' },
  {
    type: 'agent.ready',
    pid: 1,
    delivery: 'terminal',
    health: [{ code: foreign, words: foreign }],
  } as SessionEvent,
  { type: 'agent.stopping', reason: foreign },
  { type: 'agent.exited', detail: foreign },
  { type: 'agent.status', status: { model: foreign } },
  {
    type: 'activity',
    tool_use: foreign,
    tool: foreign,
    phase: 'failed',
    input: { [foreign]: foreign },
    output: foreign,
  },
  { type: 'tool.called', call: 'c', tool: foreign, args: { [foreign]: foreign } },
  { type: 'tool.progressed', call: 'c', text: foreign },
  { type: 'tool.answered', call: 'c', ok: false, content: foreign },
  { type: 'tool.dropped', call: 'c', reason: foreign },
  { type: 'permission.asked', code: 'kqzfd', tool: foreign, input: { [foreign]: foreign }, expires_at: 0 },
  {
    type: 'permission.asked',
    code: 'bqxzt',
    tool: foreign,
    input: {},
    expires_at: 0,
    agent: { id: foreign, title: foreign },
  },
  {
    type: 'permission.decided',
    code: 'kqzfd',
    verdict: 'deny',
    by: 'chat',
    who: foreign,
    reason: foreign,
    scope: 'once',
  },
  { type: 'permission.settled', code: 'kqzfd', outcome: 'expired', detail: foreign },
  { type: 'session.labelled', label: foreign },
  { type: 'session.housed', node: foreign },
  { type: 'session.held', node: foreign },
  { type: 'lease.taken', lease: 'l', by: foreign },
  { type: 'lease.released', lease: 'l', why: foreign },
  { type: 'reply.owed', reply: 'r', words: foreign, meta: {} },
];

const foreigners = escapePayloads.map(({ text }) => `a${text}b`);

/** Commands that show lists, each told every payload at once. */
const lists: Record<string, (state: string, json: boolean) => Promise<number>> = {
  ps: (state, json) => ps({ state, json, quiet: false, check: false, cost: true, all: true }),
  'ps -q': (state, json) => ps({ state, json, quiet: true, check: false, cost: true, all: true }),
  inspect: (state, json) => inspect({ state, session: 's', json }),
  approvals: (state, json) => approvals({ state, json }),
  cost: (state, json) => cost({ state, sessions: [], json }),
  logs: (state, json) => logs({ state, follow: false, json }),
  'logs --tail': (state, json) => logs({ state, follow: false, tail: 300, json }),
};

test.each(Object.keys(lists))('%s prints no payload, for people and for programs', async (name) => {
  const details = foreigners.map(detailOf);
  const all = {
    health: details.flatMap(({ health }) => health),
    asks: details.flatMap(({ asks }) => asks),
    turns: details.flatMap(({ turns }) => turns),
    screen: foreigners,
  };
  bridge.answers.set('session.list', details);
  bridge.answers.set('session.inspect', { ...details[0], ...all });
  bridge.answers.set(
    'session.costs',
    foreigners.map((foreign) => ({ id: foreign, key: foreign, usd: 1, days: [{ day: foreign, usd: 1 }] })),
  );
  bridge.answers.set('permission.list', all.asks);
  bridge.answers.set('bridge.status', {
    connections: foreigners.map((foreign) => ({
      kind: 'agp',
      url: foreign,
      state: 'waiting',
      attempt: 1,
      reason: foreign,
      since: 0,
    })),
  });
  bridge.forget();
  for (const foreign of foreigners) bridge.append(foreign, ...eventsOf(foreign));
  for (const json of [false, true]) {
    const output = await printed(() => lists[name]?.(bridge.state, json));
    expect(output.length).toBeGreaterThan(foreigners.length * 2);
    expect(output).not.toMatch(forbidden);
  }
});

test('inspect says what each agent does, and stop and restart how many they end', async () => {
  const since = new Date(Date.now() - 80_500).toISOString();
  const agents = [
    { id: 'a1', title: 'tests', since, doing: 'Bash' },
    { id: 'a2', title: null, since, doing: null },
  ];
  bridge.answers.set('session.inspect', { ...detailOf('s'), state: 'idle', agents });
  const shown = await printed(() => inspect({ state: bridge.state, session: 's', json: false }));
  expect(shown).toMatch(/^state +idle, 2 agents at work$/m);
  expect(shown).toMatch(/^agent +tests, for 1m2\ds, uses Bash\nagent +unnamed, for 1m2\ds$/m);
  const acted = { state: bridge.state, sessions: ['s'], yes: true, json: false };
  bridge.answers.set('session.stop', { stopping: true, agents: 2 });
  expect(await printed(() => sessionAction('session.stop', acted))).toMatch(
    / resumes it\. This ends 2 agents at work\.\n$/,
  );
  bridge.answers.set('session.restart', { restarted: true, pid: 1, permission_mode: 'manual', agents: 1 });
  expect(await printed(() => sessionAction('session.restart', acted))).toMatch(
    / same conversation\. This ended 1 agent at work\.\n/,
  );
  bridge.answers.set('session.restart', { restarted: true, pid: 1, permission_mode: 'manual' });
  expect(await printed(() => sessionAction('session.restart', acted))).not.toContain('agent');
});

test('inspect calls well what ps calls well, and says the rest as a note', async () => {
  const words = 'Messages are typed.';
  const detail = { ...detailOf('s'), failure: null, state: 'idle', permission_mode: 'manual' };
  for (const [info, says] of [
    [true, /^health +ok\nnote +channel_unavailable: Messages are typed\.$/m],
    [false, /^health +channel_unavailable: Messages are typed\.$/m],
  ] as const) {
    const row = { ...detail, health: [{ code: 'channel_unavailable', words, ...(info && { info }) }] };
    bridge.answers.set('session.inspect', row);
    bridge.answers.set('session.list', [row]);
    expect(await printed(() => inspect({ state: bridge.state, session: 's', json: false }))).toMatch(says);
    const list = await printed(() =>
      ps({ state: bridge.state, json: false, quiet: false, check: false, cost: true, all: true }),
    );
    expect(list).toMatch(info ? / ok {2}/ : / channel_unavailable {2}/);
  }
});

/** Commands that show one sentence. */
const sentences: Record<string, (state: string) => Promise<number>> = {
  approve: (state) => decide({ state, code: 'kqzfd', verdict: 'allow', json: false }),
  send: (state) => send({ state, session: 's', text: 'hello', create: false, wait: true, json: false }),
  wait: (state) => wait({ state, sessions: ['s'], any: false, json: false }),
  rename: (state) => rename({ state, session: 's', name: 'x', clear: false, json: false }),
  'wait --any': (state) => wait({ state, sessions: ['s'], any: true, json: true }),
  metrics: (state) => metrics({ state }),
};

test.each(Object.keys(sentences))('%s prints no payload', async (name) => {
  for (const foreign of foreigners) {
    bridge.answers.set('session.send', { outcome: 'failed', words: foreign });
    bridge.answers.set('session.rename', { session: foreign, label: foreign });
    bridge.answers.set('session.wait', { state: foreign });
    bridge.answers.set('bridge.metrics', { text: foreign });
    bridge.answers.set('permission.show', askOf(foreign));
    bridge.answers.set('permission.decide', { tool: foreign, session: foreign });
    const output = await printed(() => sentences[name]?.(bridge.state));
    expect(output).not.toBe('');
    expect(output).not.toMatch(forbidden);
  }
});

describe.each(escapePayloads)('$name', ({ text }) => {
  const foreign = `a${text}b`;

  test('makes no second line of a row, and none in the live table or on the screen', async () => {
    const words = new RowWords();
    const rows = eventsOf(foreign).map((event, seq) => ({ seq, at: 0, session: foreign, event }));
    const lines = rows.flatMap((row) => words.lineOf(row) ?? []);
    const single = lines.filter((each) => !each.includes('Its screen:'));
    for (const each of single) expect(each).not.toMatch(/\n/);
    let drawn = '';
    const table = new LiveTable(
      (piece) => {
        drawn += piece;
      },
      () => 100,
    );
    table.say(foreign);
    table.show([foreign]);
    const view = { title: foreign, rows: [detailOf(foreign)], asks: [askOf(foreign)] };
    table.show(liveLines(view, { cols: 100, rows: 20 }, 0));
    for (const { event } of rows) drawn += paint(line(frameWords(event)), 'coloured');
    const said = await printed(() => {
      say(foreign);
      sayText(foreign);
      printText(foreign);
      printLines([line(foreign)]);
    });
    drawn += await printed(() => redraw(foreign));
    const status = { kind: 'agp', url: foreign, state: 'waiting', attempt: 1, reason: foreign, since: 0 };
    const gateway = gatewayWords(status as never);
    expect(drawn.replace(ownEscapes, '')).not.toMatch(forbidden);
    expect(`${said}${gateway}${lines.join('')}`).not.toMatch(forbidden);
  });
});

test('nothing but the gate writes to the terminal, and what draws whole screens', () => {
  const root = resolve(import.meta.dirname, '../../src/cli');
  const writers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) =>
      /(?:stdout|stderr)\.write|console\.\w+\(|\bwrite\b.* from '.*standard-streams/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
  // `up-status.ts` hands the stream to the live table, and `painted.ts` writes what `paint` gives: both pass the gate.
  // `run-tui.tsx` writes what `call-text.ts` makes, whose own tests hold foreign words within their sequence.
  expect(writers.sort()).toEqual([
    'commands/up/up-status.ts',
    'output/out.ts',
    'output/painted.ts',
    'tui/run-tui.tsx',
  ]);
});
