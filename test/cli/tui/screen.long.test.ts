import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { width } from '../../../src/cli/text/width.ts';
import { screen } from '../../../src/cli/tui/terminal/screen.ts';
import { lineWidth } from '../../../src/cli/tui/text/line.ts';
import { paint } from '../../../src/cli/tui/text/paint.ts';
import { packSession } from '../../../src/domain/views/snapshot.ts';
import { runs } from '../../support/runs.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { noon, Seat } from './seat.ts';

const telegram = 'agent:main:telegram:direct:4242';
const discord = 'agent:main:discord:group:100200';

function busySeat(columns: number, rows: number): Seat {
  const seat = new Seat(columns, rows);
  seat.working(telegram);
  seat.says(telegram, 'The suite passes.\n');
  seat.working(discord, 'Deploy it, please.');
  seat.asks(discord, 'kmqtr', 'Bash', { command: 'make deploy' });
  return seat;
}

describe('how far a call is', () => {
  const key = 'agent:main:s1';
  const seat = (columns = 160, rows = 40) => {
    const made = new Seat(columns, rows);
    made.working(key);
    made.happens(key, {
      type: 'tool.called',
      turn: `t-${key}`,
      call: 'c1',
      tool: 'notes_index',
      args: { path: '/vault' },
      provider: 'notes',
    });
    return made;
  };
  const says = (made: Seat, text: string) => made.happens(key, { type: 'tool.progressed', call: 'c1', text });

  test('stands behind its tool while it runs: in the list and in the transcript', () => {
    const made = seat();
    expect(made.row('◆ notes_index')).toMatch(/◆ notes_index {2}\/vault +│/);
    made.happens(key, {
      type: 'activity',
      turn: `t-${key}`,
      tool_use: 'c1',
      tool: 'Read',
      phase: 'started',
    });
    says(made, '30 of 100');
    says(made, '31 of 100');
    expect(made.row('◆ working')).toContain('tool notes_index: 31 of 100');
    expect(made.row('◆ notes_index')).toMatch(/◆ notes_index {2}31 of 100 {2}\/vault +│/);
    expect(made.row('◆ Read')).not.toContain('of 100');
    expect(made.screen).toContain('tool.progressed');
    made.happens(key, { type: 'tool.answered', call: 'c1', ok: true, content: 'done' });
    expect(made.row('✓ notes_index')).toMatch(/✓ notes_index {2}\/vault {2}0s +│/);
    expect(made.row('◆ working')).toMatch(/Claude/);
    says(made, '32 of 100');
    expect(made.row('✓ notes_index')).not.toContain('of 100');
    expect(made.row('◆ working')).not.toContain('of 100');
  });

  test.each([
    [80, 24],
    [200, 50],
  ])('is cut to the width, and harmless, at %i×%i', (columns, rows) => {
    const made = seat(columns, rows);
    for (const text of [
      'x'.repeat(200),
      '漢'.repeat(100),
      '\u001b[2J\u001b]0;t\u0007\n\r\u202ea\u009b1A',
      '👨‍👩‍👧'.repeat(30),
    ]) {
      says(made, text);
      expect(made.rows.every((each) => width(each) <= columns)).toBe(true);
      expect(made.screen.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      expect(made.rows).toHaveLength(rows - 1);
    }
    made.happens(key, { type: 'tool.dropped', call: 'c1', reason: 'Claude cancelled the call' });
    expect(made.row('· notes_index')).toContain('/vault');
  });
});

describe('at 80×24', () => {
  test('a seat without sessions says how one comes to be', () => {
    const seat = new Seat();
    expect(seat.screen).toContain('No sessions yet. The first message of a conversation opens one.');
    expect(seat.rows).toHaveLength(23);
  });

  test('each session has a row with what it does and waits for', () => {
    const seat = busySeat(80, 24);
    expect(seat.row('◆ working')).toContain('telegram direct 4242');
    expect(seat.row('◆ working')).toMatch(/Claude +0s +0 +- {2}channel$/);
    expect(seat.row('▲ asking')).toContain('you: kmqtr');
    expect(seat.rows[0]).toContain('2 sessions · 1 working · 1 to answer');
  });

  test.each([
    ['agp', 'wechat'],
    ['openclaw', 'openclaw'],
  ] as const)('the first row says how the connection to a gateway of kind %s is', (kind, name) => {
    const seat = busySeat(80, 24);
    const connection = {
      kind,
      url: 'wss://gateway.example/ws',
      attempt: 0,
      reason: null,
      since: '',
    };
    const status = (state: 'connected' | 'reconnecting') =>
      seat.status({ connections: [{ ...connection, state }] });
    expect(seat.rows[0]).not.toContain(name);
    status('connected');
    expect(seat.rows[0]).toContain(`${name} ●`);
    status('reconnecting');
    expect(seat.rows[0]).toContain(`${name} ○ rec`);
  });

  test('what is asked stands in a pane of its own, with the command and how long it waits', () => {
    const seat = busySeat(80, 24);
    expect(seat.row('kmqtr  Bash')).toMatch(/make deploy .* 10m00s$/);
    seat.happens(discord, {
      type: 'permission.decided',
      code: 'kmqtr',
      verdict: 'allow',
      by: 'chat',
      scope: 'once',
    });
    expect(seat.screen).not.toContain('Permissions');
  });

  test('a text that reads as it is written: the answer grows under its question', () => {
    const seat = busySeat(80, 24);
    expect(seat.screen).toContain('│ How is the build?\n Claude\n The suite passes.\n ▍');
    seat.says(telegram, 'Nothing else is left.\n', 1);
    expect(seat.screen).toContain('The suite passes.\n Nothing else is left.\n ▍');
    seat.ends(telegram);
    expect(seat.screen).not.toContain('▍');
  });

  test('what was written before a tool call stands before it, though its last piece came late', () => {
    const seat = new Seat();
    seat.working(telegram);
    const turn = `t-${telegram}`;
    seat.says(telegram, 'First I look.\n');
    seat.happens(telegram, {
      type: 'activity',
      turn,
      tool_use: 'u1',
      tool: 'Read',
      phase: 'started',
      input: { file_path: '/a' },
    });
    seat.happens(telegram, {
      type: 'answer.delta',
      turn,
      message: 'm',
      index: 1,
      text: 'Then I think.',
      final: true,
    });
    seat.happens(telegram, { type: 'activity', turn, tool_use: 'u1', tool: 'Read', phase: 'succeeded' });
    seat.happens(telegram, {
      type: 'answer.delta',
      turn,
      message: 'n',
      index: 0,
      text: 'Done.',
      final: true,
    });
    expect(seat.screen).toContain(' First I look.\n Then I think.\n   ✓ Read  /a  0s\n Done.');
  });

  test('a text that came only after its tool call stands before it, and the next message after it', () => {
    const seat = new Seat();
    seat.working(telegram);
    const turn = `t-${telegram}`;
    const tool = { turn, tool_use: 'u1', tool: 'Bash' };
    const piece = { type: 'answer.delta', turn, index: 0, final: true } as const;
    seat.happens(
      telegram,
      { type: 'activity', ...tool, phase: 'started', input: { command: 'ls' } },
      { type: 'permission.asked', ...tool, code: 'kmqtr', input: {}, expires_at: noon },
      { ...piece, message: 'm', text: 'I look.' },
      { type: 'permission.decided', code: 'kmqtr', verdict: 'allow', by: 'chat', scope: 'once' },
      { type: 'activity', ...tool, phase: 'succeeded' },
      { ...piece, message: 'n', text: 'Three files.' },
    );
    expect(seat.screen).toContain(' I look.\n   ✓ Bash  ls  0s\n     ✓ allowed  0s\n Three files.');
  });

  test('who comes in the middle of a turn sees what Claude has done in it before', () => {
    const early = new Seat();
    early.working(telegram);
    const turn = `t-${telegram}`;
    early.says(telegram, 'First I look.\n');
    const tool = { turn, tool_use: 'u1', tool: 'Read' };
    early.happens(telegram, { type: 'activity', ...tool, phase: 'started', input: { file_path: '/a' } });
    early.happens(telegram, { type: 'activity', ...tool, phase: 'succeeded' });
    early.happens(telegram, {
      type: 'answer.delta',
      turn,
      message: 'n',
      index: 0,
      text: 'Done.',
      final: true,
    });
    const late = new Seat();
    const sessions = [...early.model.sessions.values()].map(({ session }) => packSession(session));
    late.news({ kind: 'snapshot', snapshot: { seq: early.model.here.seq, sessions } });
    expect(late.screen).not.toContain('Read');
    late.news({ kind: 'rows', rows: early.model.frames });
    expect(late.screen).toContain(' First I look.\n   ✓ Read  /a  0s\n');
    expect(late.screen).toContain('1 session · 1 working');
    expect(late.model.frames).toHaveLength(early.model.frames.length);
  });

  test('an ending without an answer is said in words', () => {
    const seat = new Seat();
    seat.working(telegram);
    seat.happens(telegram, {
      type: 'turn.settled',
      turn: `t-${telegram}`,
      outcome: 'failed',
      code: 'rate_limited',
    });
    expect(seat.screen).toContain('The usage limit of the Claude account is reached.');
  });

  test('a session whose health is not well says so by its road, and in words when asked', () => {
    const seat = new Seat();
    seat.working(telegram);
    const health = [{ code: 'channel_deaf', words: 'Text is typed, because the channel does not answer.' }];
    seat.happens(telegram, { type: 'agent.ready', pid: 4711, delivery: 'terminal', health });
    expect(seat.row('◆ working')).toMatch(/terminal !$/);
    seat.press('i', 'end');
    expect(seat.screen).toContain('Text is typed, because the channel does not answer.');
  });

  test('a session that asks nobody says so by its road; which mode, where from and what waits is told when asked', () => {
    const seat = new Seat();
    seat.working(telegram);
    const launch = { cwd: '/home/alice/work', permissionMode: 'dontAsk', delivery: 'auto' } as const;
    seat.happens(telegram, {
      type: 'session.configured',
      launch,
      waiting: { ...launch, permissionMode: 'bypassPermissions' },
    });
    expect(seat.row('◆ working')).toMatch(/channel !$/);
    seat.press('i');
    expect(seat.row('permissions')).toContain('dontAsk !  kept: the configuration is looser');
    expect(seat.screen).toContain('R takes over: permission mode bypassPermissions');
    seat.press('esc');
    seat.happens(telegram, { type: 'agent.mode', mode: 'acceptEdits' });
    expect(seat.row('◆ working')).toMatch(/channel$/);
  });

  test('a lost bridge is said, with the time of the next attempt', () => {
    const seat = busySeat(80, 24);
    seat.news({ kind: 'link', link: { name: 'lost', attempt: 2, retryAt: noon + 3000, why: 'gone' } });
    expect(seat.rows[0]).toContain('○ bridge gone, retry in 3s');
    expect(seat.screen).toContain('The suite passes.');
  });
});

describe('at 200×50', () => {
  test('transcript and frames stand side by side, and the table says more', () => {
    const seat = busySeat(200, 50);
    expect(seat.rows).toHaveLength(49);
    const title = seat.row('2 Transcript');
    expect(title).toContain('3 Frames');
    expect(seat.row('◆ working')).toContain('11111111-2222-4333-8444-555555555555');
    expect(seat.row('◆ working')).toContain('telegram alice');
    expect(seat.row('◆ working')).toMatch(/ manual +channel /);
    expect(seat.screen).toMatch(/The suite passes\. +│/);
    expect(seat.screen).toMatch(/│ \d\d:00:00 {2}answer\.delta +…\S+4242 +#0 {2}The suite passes\./);
  });

  test('a frame is looked at below the sessions, not instead of them', () => {
    const seat = busySeat(200, 50);
    seat.press('3', 'enter');
    expect(seat.screen).toContain('▲ asking');
    expect(seat.screen).toContain('"type": "permission.asked"');
  });
});

const someText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '日本語のテキスト',
    '👩‍👩‍👧‍👦 family',
    'ก็ไม่เป็นไร',
    '\u001b[2Jgone',
    'a\tb\r\nc',
    'é'.repeat(40),
  ),
);

test('whatever is written and however large the terminal: every row fits, and there is one row less than the terminal has', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 220 }),
      fc.integer({ min: 5, max: 60 }),
      fc.array(someText, { minLength: 1, maxLength: 4 }),
      fc.subarray(['3', 'enter', '?', 'esc', 'i', 'p', 'm', '2', 'f', 'tab']),
      (columns, rows, texts, pressed) => {
        const seat = new Seat(columns, rows);
        for (const text of texts) {
          seat.working(text, text);
          seat.says(text, text);
          seat.asks(text, 'kmqtr', text, { command: text });
        }
        seat.press(...pressed);
        const { parts } = screen(seat.model);
        const lines = parts.flatMap((part) => (part.kind === 'rows' ? part.lines : part.left));
        expect(lines).toHaveLength(rows - 1);
        for (const part of parts) {
          if (part.kind === 'rows') for (const line of part.lines) expect(lineWidth(line)).toBe(columns);
          else expect(part.widths[0] + 1 + part.widths[1]).toBe(columns);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test('no known escape sequence in a name, a message, an answer or a tool input reaches the terminal', () => {
  for (const { text } of escapePayloads) {
    const seat = new Seat(120, 40);
    const key = `k${text}`;
    seat.working(key, `before${text}after`);
    seat.says(key, `${text}\nthe end\n`);
    seat.asks(key, 'kmqtr', `B${text}`, { command: `x${text}` });
    for (const keys of [[], ['p'], ['esc', '3', 'enter'], ['esc', 'i'], ['esc', 'm']]) {
      seat.press(...keys);
      const painted = screen(seat.model)
        .parts.flatMap((part) => (part.kind === 'rows' ? part.lines : [...part.left, ...part.right]))
        .map((line) => paint(line, 'coloured'))
        .join('\n');
      // Ours are colours and weights, and nothing else.
      const rest = painted.replace(/\u001b\[[0-9;]*m/g, '');
      expect(rest).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
  }
});
