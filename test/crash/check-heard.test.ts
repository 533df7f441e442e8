// Every hook once: a journal that has heard less than Claude wrote down, or more, is reported.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, type Rule } from '../../crash/history/check.ts';
import { type Row, type Told, toldBy } from '../../crash/history/evidence.ts';

type Event = Row['event'];

const told = (): Told[] => [
  {
    prompt: 'p1',
    texts: ['Shall I?', 'Done.\nAll of it.'],
    calls: [{ id: 'c1', input: '{"n":1}', ok: true }],
  },
  { prompt: 'p2', texts: [], calls: [{ id: 'c2', input: '{"n":2}', ok: false }] },
];

const delta = (message: string, index: number, text: string): Event => ({
  type: 'answer.delta',
  turn: 't1',
  message,
  index,
  text,
});

/** What the hooks of these prompts say. */
const events = (): Event[] => [
  { type: 'agent.ready', pid: 1 },
  { type: 'turn.running', turn: 't1', prompt: 'p1' },
  { type: 'activity', turn: 't1', tool_use: 'c1', phase: 'started' },
  delta('m1', 0, 'Shall I?'),
  { type: 'permission.asked', code: 'abcde', tool_use: 'c1' },
  { type: 'activity', turn: 't1', tool_use: 'c1', phase: 'succeeded' },
  // As two ticks of the journal may have it.
  delta('m2', 1, 'All of it.'),
  delta('m2', 0, 'Done.\n'),
  { type: 'turn.settled', turn: 't1', outcome: 'completed' },
  { type: 'turn.running', turn: 't2', prompt: 'p2' },
  { type: 'activity', turn: 't2', tool_use: 'c2', phase: 'started' },
  { type: 'permission.asked', code: 'abcdf', input: { n: 2 } },
  { type: 'turn.settled', turn: 't2', outcome: 'completed' },
];

function reported(heard: Event[], more: { told?: Told[] } = { told: told() }): Rule[] {
  const rows = heard.map((event, at) => ({ seq: at + 1, at: 100 + at, session: 's', event }));
  const { violations } = check({ history: [], rows, given: [], ran: [], ...more });
  return [...new Set(violations.map(({ rule }) => rule))];
}

test('nothing is reported where each hook was heard once', () => {
  expect(reported(events())).toEqual([]);
});

test('each of them that is missing is reported, and each that is there twice', () => {
  for (const at of events().keys()) {
    const doubled = events().toSpliced(at, 0, ...events().slice(at, at + 1));
    expect(reported(doubled), `doubled: ${JSON.stringify(events()[at])}`).toEqual([
      at === 0 ? 'replaced' : 'heard twice',
    ]);
    // Of a Claude Code that nobody says is ready nothing is known.
    if (at > 0)
      expect(reported(events().toSpliced(at, 1)), JSON.stringify(events()[at])).toEqual(['unheard']);
  }
});

test('a second Claude Code is no wonder where a message failed', () => {
  const failed: Event = { type: 'turn.settled', turn: 't3', outcome: 'failed' };
  expect(reported([...events(), failed, { type: 'agent.ready', pid: 2 }])).toEqual([]);
});

test('a byte that is missing is reported, and a turn that was cut', () => {
  expect(reported(events().with(3, delta('m1', 0, 'Shall I')))).toEqual(['unheard']);
  expect(reported(events().with(8, { type: 'turn.settled', turn: 't1', outcome: 'failed' }))).toEqual([
    'unheard',
  ]);
});

test('where a Claude Code was broken nothing of it has to be heard', () => {
  expect(reported(events().slice(0, 4), {})).toEqual([]);
});

test('a transcript is read as Claude writes it', () => {
  const home = mkdtempSync(join(tmpdir(), 'synthesis-told-'));
  try {
    const lines = [
      { type: 'custom-title', customTitle: 's' },
      { type: 'user', promptId: 'p1', message: { role: 'user', content: 'go' } },
      {
        type: 'assistant',
        promptId: 'p1',
        message: {
          content: [
            { type: 'text', text: 'a' },
            { type: 'tool_use', id: 'c1', name: 'Bash', input: {} },
          ],
        },
      },
      {
        type: 'user',
        promptId: 'p1',
        message: { content: [{ type: 'tool_result', tool_use_id: 'c1', content: '', is_error: false }] },
      },
      { type: 'assistant', promptId: 'p1', message: { content: [{ type: 'text', text: 'b' }] } },
    ];
    const folder = join(home, '.claude/projects/-work');
    mkdirSync(folder, { recursive: true });
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(folder, 's.jsonl'), `${text}\n{"type":"assis`);
    expect(toldBy(home)).toEqual([
      { prompt: 'p1', texts: ['a', 'b'], calls: [{ id: 'c1', input: '{}', ok: true }] },
    ]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
