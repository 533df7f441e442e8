// Ran, did not run, not known: the first two want evidence.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditLines } from '../../src/cli/output/words/audit-lines.ts';
import { dialogTool } from '../../src/domain/question/dialog-question.ts';
import { ranInTerminal } from '../../src/domain/question/outcome.ts';
import type { AuditQuestion } from '../../src/domain/views/audit/audit-entry.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { auditOf } from '../support/audit-of.ts';
import { runs } from '../support/runs.ts';

type Rows = readonly SessionEvent[];

const asked = (more: Partial<Extract<SessionEvent, { type: 'permission.asked' }>> = {}): SessionEvent => ({
  type: 'permission.asked',
  turn: 't1',
  code: 'kqzfd',
  tool: 'Bash',
  input: { command: 'rm precious' },
  expires_at: 0,
  tool_use: 'use',
  ...more,
});
const decided = (verdict: 'allow' | 'deny', by: 'chat' | 'expiry' = 'chat'): SessionEvent => ({
  type: 'permission.decided',
  code: 'kqzfd',
  verdict,
  by,
  scope: 'once',
});
const sent: SessionEvent = { type: 'permission.sent', code: 'kqzfd' };
const settled = (outcome: 'applied' | 'expired' | 'superseded', detail?: string): SessionEvent => ({
  type: 'permission.settled',
  code: 'kqzfd',
  outcome,
  ...(detail !== undefined && { detail }),
});
const activity = (phase: 'started' | 'succeeded' | 'failed'): SessionEvent => ({
  type: 'activity',
  turn: 't1',
  tool_use: 'use',
  tool: 'Bash',
  phase,
});
const turnOver: SessionEvent = { type: 'turn.settled', turn: 't1', outcome: 'completed' };
const exited: SessionEvent = { type: 'agent.exited', detail: 'killed' };
const called: SessionEvent = { type: 'tool.called', call: 'c', tool: 'exec', args: {}, tool_use: 'use' };
const answered: SessionEvent = { type: 'tool.answered', call: 'c', ok: true, content: 'done' };
const dropped = (denied: boolean): SessionEvent => ({
  type: 'tool.dropped',
  call: 'c',
  reason: 'the turn ended (failed)',
  ...(denied && { denied: true }),
});
const held = asked({ tool: 'exec', call: 'c' });

function question(rows: Rows): AuditQuestion {
  const { all, rest } = auditOf(rows.map((event) => ['a', event] as const));
  const [found, ...more] = [...all, ...rest].filter((entry) => entry.kind === 'question');
  if (!found || more.length > 0) throw new Error('not one question');
  return found;
}

/** The last two lines that a person reads: who answered, and what came of it. */
const words = (rows: Rows): string[] => auditLines(question(rows)).split('\n').slice(-2);

const unknown: readonly (readonly [string, Rows])[] = [
  ['nobody answered and the turn ended', [asked(), turnOver]],
  ['nobody answered and Claude Code ended', [asked(), settled('expired', 'Claude Code ended'), exited]],
  ['Claude Code let go of the question', [asked(), settled('superseded', "declined in Claude's terminal")]],
  ['it was closed with its turn', [asked(), settled('superseded', 'the turn ended (failed)'), turnOver]],
  ['the journal ends with the question', [asked()]],
  [
    'a no was said and never handed over',
    [asked(), decided('deny'), settled('expired', 'the bridge stopped')],
  ],
  ['a no was handed over and nothing was seen of it', [asked(), decided('deny'), sent, exited]],
  [
    'time said no, and Claude Code was gone',
    [asked(), decided('deny', 'expiry'), settled('expired', 'gone')],
  ],
  ['a yes was handed over and nothing was seen of it', [asked(), decided('allow'), sent, turnOver]],
  ['it had only been announced', [activity('started'), asked(), turnOver]],
  ['the call was passed on and never answered', [held, decided('allow'), called, settled('applied')]],
  [
    'the call was passed on and then dropped',
    [held, decided('allow'), called, settled('applied'), dropped(false)],
  ],
  ['an unanswered call of Claude was passed on', [asked(), called, settled('superseded', ranInTerminal)]],
];

test.each(unknown)('whether it ran is not known when %s', (_, rows) => {
  expect(question(rows).ran_state).toBe('unknown');
  expect(words(rows)[1]).toMatch(/^ {4}not known whether it ran/);
});

const notRun: readonly (readonly [string, Rows])[] = [
  ['Claude Code went on with a no that it was given', [asked(), decided('deny'), sent, settled('applied')]],
  ['time said no, and Claude Code went on', [asked(), decided('deny', 'expiry'), sent, settled('applied')]],
  ['the bridge dropped the denied call', [held, decided('deny'), dropped(true), settled('applied')]],
  ['the turn ended before the call left the bridge', [held, settled('superseded', 'ended'), dropped(false)]],
  [
    "Claude's own use of the tool ended, and the call in it was held",
    [held, decided('deny'), dropped(true), settled('applied'), activity('failed')],
  ],
];

test.each(notRun)('a tool did not run when %s', (_, rows) => {
  const { ran_state: state, ran_evidence: evidence } = question(rows);
  expect({ state, evidence }).toEqual({ state: 'not_run', evidence: expect.stringMatching(/\w/) });
  expect(words(rows)[1]).toBe(`    did not run: ${evidence}`);
});

const ran: readonly (readonly [string, Rows])[] = [
  ['nobody answered here and a later row tells its end', [asked(), turnOver, activity('succeeded')]],
  ['Claude Code had ended meanwhile', [asked(), settled('expired', 'gone'), exited, activity('failed')]],
  [
    'a no was applied and the tool ran all the same',
    [asked(), decided('deny'), sent, settled('applied'), activity('succeeded')],
  ],
  ['it was allowed in the terminal', [asked({ tool_use: undefined }), settled('superseded', ranInTerminal)]],
  [
    'a yes was seen to take effect',
    [asked({ tool_use: undefined }), decided('allow'), sent, settled('applied')],
  ],
  ['the call that was held was answered', [held, decided('allow'), called, settled('applied'), answered]],
  [
    'a call that names no tool use was answered',
    [
      asked({ call: 'c', tool_use: undefined }),
      decided('allow'),
      { ...called, tool_use: undefined } as SessionEvent,
      settled('applied'),
      answered,
    ],
  ],
  ['the answer to its call comes far behind', [asked(), turnOver, called, exited, answered]],
];

test.each(ran)('a tool ran when %s', (_, rows) => {
  expect(question(rows).ran_state).toBe('ran');
  expect(words(rows)[1]).toMatch(/^ {4}(?:(?:succeeded|failed) at |ran; how it ended is not known)/);
});

test('a question that was answered elsewhere is not called unanswered', () => {
  const rows = [asked(), settled('superseded', ranInTerminal), activity('succeeded'), turnOver];
  expect(words(rows)[0]).toBe('    answered elsewhere: no answer went through the bridge');
  expect(words([asked(), turnOver])[0]).toBe('    no answer is known');
});

test('nothing runs in a dialog: it is told whether its answer was given', () => {
  const dialog = asked({ tool: dialogTool, input: { dialog: 'd', words: 'w', options: ['Yes'] } });
  const given = [dialog, decided('allow'), sent, settled('applied')];
  expect(question(given)).toMatchObject({ ran_state: null, ran_evidence: null });
  expect(words(given)[1]).toBe("    the answer was given in Claude's terminal");
  expect(words([dialog, decided('allow'), settled('superseded', 'nothing was chosen')])[1]).toBe(
    "    not known to have been answered in Claude's terminal (superseded: nothing was chosen)",
  );
});

const uses = fc.constantFrom('use', 'use2');
const codes = fc.constantFrom('kqzfd', 'bqxzt');
const calls = fc.constantFrom('c', 'c2');
const row: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc
    .record({ code: codes, tool_use: uses, call: fc.option(calls, { nil: undefined }) })
    .map((about) => asked(about)),
  fc
    .record({ code: codes, verdict: fc.constantFrom('allow' as const, 'deny' as const) })
    .map(({ code, verdict }) => ({ ...decided(verdict), code }) as SessionEvent),
  codes.map((code): SessionEvent => ({ type: 'permission.sent', code })),
  fc
    .record({
      code: codes,
      outcome: fc.constantFrom('applied' as const, 'expired' as const, 'superseded' as const),
      detail: fc.constantFrom(undefined, ranInTerminal, 'the turn ended'),
    })
    .map(({ code, outcome, detail }) => ({ ...settled(outcome, detail), code }) as SessionEvent),
  fc
    .record({
      tool_use: uses,
      phase: fc.constantFrom('started' as const, 'succeeded' as const, 'failed' as const),
    })
    .map(({ tool_use, phase }) => ({ ...activity(phase), tool_use }) as SessionEvent),
  fc.record({ call: calls, tool_use: uses }).map((about) => ({ ...called, ...about }) as SessionEvent),
  fc.record({ call: calls, ok: fc.boolean() }).map((about) => ({ ...answered, ...about }) as SessionEvent),
  fc.record({ call: calls, denied: fc.boolean() }).map(({ call, denied }) => ({ ...dropped(denied), call })),
  fc.constantFrom(turnOver, exited, { type: 'session.removed' } satisfies SessionEvent),
);

/** By hand and by another way than the audit: what the rows behind a question say of it. */
function told(
  behind: Rows,
  { tool_use: use, call, code }: Extract<SessionEvent, { type: 'permission.asked' }>,
) {
  const became = behind.flatMap((event) =>
    event.type === 'tool.called' && event.tool_use === use ? [event.call] : [],
  );
  const own = call === undefined ? became : [call];
  const ended = behind.some(
    (event, at) =>
      (event.type === 'activity' &&
        call === undefined &&
        event.tool_use === use &&
        event.phase !== 'started') ||
      (event.type === 'tool.answered' &&
        (call !== undefined
          ? event.call === call
          : behind
              .slice(0, at)
              .some(
                (other) =>
                  other.type === 'tool.called' && other.tool_use === use && other.call === event.call,
              ))),
  );
  const passedOn = behind.some((event) => event.type === 'tool.called' && own.includes(event.call));
  const of = behind.filter((event) => 'code' in event && event.code === code);
  const denied = of.some((event) => event.type === 'permission.decided' && event.verdict === 'deny');
  const applied = of.some((event) => event.type === 'permission.settled' && event.outcome === 'applied');
  const over =
    of.some(({ type }) => type === 'permission.settled') ||
    behind.some((event) => event.type === 'tool.dropped' && event.call === call);
  return { ended, passedOn, evidence: call === undefined ? denied && applied : over };
}

test('for any rows, "did not run" is never said of what a row says that it ran, nor without evidence', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 24 }), (rows) => {
      // A code is never used twice: later questions of the same are no rows that can be.
      const seen = new Set<string>();
      const history = rows.filter((event) => {
        if (event.type !== 'permission.asked') return true;
        const isNew = !seen.has(event.code);
        seen.add(event.code);
        return isNew;
      });
      const { all, rest } = auditOf(history.map((event) => ['a', event] as const));
      for (const entry of [...all, ...rest]) {
        if (entry.kind !== 'question') continue;
        const at = history.findIndex(
          (event) => event.type === 'permission.asked' && event.code === entry.code,
        );
        const question = history[at] as Extract<SessionEvent, { type: 'permission.asked' }>;
        const { ended, passedOn, evidence } = told(history.slice(at + 1), question);
        const text = auditLines(entry);
        if (ended) expect(entry.ran_state).toBe('ran');
        if (text.includes('did not run'))
          expect({ ended, passedOn, evidence }).toEqual({ ended: false, passedOn: false, evidence: true });
        expect(text.includes('did not run')).toBe(entry.ran_state === 'not_run');
      }
    }),
    { numRuns: runs(3000) },
  );
});
