import { beforeEach, describe, expect, test } from 'vitest';
import { Codes } from '../../../../src/bridge/app/desks/codes.ts';
import { PermissionRequestHook } from '../../../../src/bridge/claude/hooks/hook-schema.ts';
import type { KnownAsk } from '../../../../src/bridge/claude/known-run.ts';
import { PermissionDesk } from '../../../../src/bridge/claude/permission/permission-desk.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import type { PermissionRequest } from '../../../../src/protocol/wire/wire.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { noRule } from '../../../support/rulings.ts';

let clock: ManualClock;
let codes: Codes;
let reports: AgentReport[];
/** Verdicts that went out through the channel, oldest first. */
let relayed: [code: string, verdict: string][];
let forgotten: string[];
/** Calls back as the channel does once a verdict is on its way. */
let online: boolean;
let dialogShown: boolean;
let refused: number;
/** How many came. */
let hooks: number;

beforeEach(() => {
  clock = new ManualClock();
  codes = new Codes();
  reports = [];
  relayed = [];
  forgotten = [];
  online = true;
  dialogShown = false;
  refused = 0;
  hooks = 0;
  ruling = noRule;
});

let ruling = noRule;
const newDesk = (relays = false, known?: readonly KnownAsk[], askedBefore?: readonly string[]) =>
  new PermissionDesk({
    clock,
    permissionMs: 600_000,
    openQuestions: 3,
    refused: () => {
      refused += 1;
    },
    report: (report) => reports.push(report),
    claimCode: (wanted) => codes.claim(wanted),
    judge: () => ruling,
    relays,
    known,
    askedBefore,
    relay: (code, verdict, sent) => {
      relayed.push([code, verdict]);
      if (online) sent();
    },
    forget: (code) => forgotten.push(code),
    dialogShown: () => dialogShown,
  });

const bash = { command: 'make', description: 'Build' };
const request = (fields: Record<string, unknown> = {}) =>
  PermissionRequestHook.parse({
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: bash,
    ...fields,
  });
const frame = (request_id: string, fields: Partial<PermissionRequest> = {}): PermissionRequest => ({
  type: 'permission_request',
  request_id,
  tool: 'Bash',
  args: bash,
  rationale: 'Build',
  ...fields,
});

/** A held hook as the HTTP door holds it: its answer is on the wire once `written` is called. */
function held(desk: PermissionDesk, toolUse?: string, fields?: Record<string, unknown>) {
  const gone = new AbortController();
  const listeners: (() => void)[] = [];
  const client = { signal: gone.signal, onWritten: (listener: () => void) => void listeners.push(listener) };
  hooks += 1;
  const n = hooks;
  return {
    answered: desk.hold(n, request(fields), toolUse, client),
    hangUp: () => gone.abort(),
    written: () => {
      for (const listener of listeners) listener();
    },
  };
}

const asks = () => reports.filter((report) => report.type === 'permission.ask');
const code = () => asks()[0]?.code ?? '';
const sent = () => reports.filter(({ type }) => type === 'permission.sent');
const withdrawn = () => reports.filter((report) => report.type === 'permission.withdrawn');
const answer = (desk: PermissionDesk, to: string, verdict: 'allow' | 'deny' = 'allow') =>
  desk.answer({ code: to, verdict, scope: 'once', by: 'cli' });
const decision = (behavior: string) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: expect.objectContaining({ behavior }) },
});

test('a held question is told once, with its whole input, its time and what could be allowed besides', () => {
  const permission_suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  held(newDesk(), 'toolu_1', { permission_suggestions });
  expect(reports).toEqual([
    {
      type: 'permission.ask',
      code: expect.stringMatching(/^[a-km-z]{5}$/),
      tool: 'Bash',
      input: bash,
      rationale: 'Build',
      expires_at: clock.wall() + 600_000,
      tool_use: 'toolu_1',
      suggestions: permission_suggestions,
      hook: 1,
    },
  ]);
});

test('a verdict answers the hook once, and counts as sent when its response was written', async () => {
  const desk = newDesk();
  const hook = held(desk);
  expect(answer(desk, code())).toBe(true);
  expect(await hook.answered).toEqual(decision('allow'));
  expect(sent()).toEqual([]);
  hook.written();
  expect(sent()).toMatchObject([{ code: code() }]);
  expect(answer(desk, code(), 'deny')).toBe(false);
  hook.written();
  expect(sent()).toHaveLength(1);
  expect(desk.open).toBe(0);
});

test('an unknown code answers nothing', () => {
  const desk = newDesk();
  held(desk);
  expect(answer(desk, 'zzzzz')).toBe(false);
  expect(desk.open).toBe(1);
});

describe('a question on both roads', () => {
  test.each(['hook', 'relay'])(
    'is one question with Claude Code’s own code, whichever comes first: %s',
    async (first) => {
      const desk = newDesk(true);
      if (first === 'relay') desk.relayed(frame('abcde'));
      const hook = held(desk, 'toolu_1');
      if (first === 'hook') {
        clock.advance(200);
        expect(asks()).toEqual([]);
        desk.relayed(frame('abcde'));
      }
      expect(asks()).toMatchObject([{ code: 'abcde', input: bash, tool_use: 'toolu_1' }]);
      answer(desk, 'abcde', 'deny');
      expect(await hook.answered).toEqual(decision('deny'));
      // The relay can say less than the hook, so it waits until that is on the wire.
      expect(relayed).toEqual([]);
      hook.written();
      expect(relayed).toEqual([['abcde', 'deny']]);
      expect(sent()).toHaveLength(1);
    },
  );

  test('recognises a cut preview as the beginning of the input', () => {
    const desk = newDesk(true);
    const command = 'x'.repeat(300);
    held(desk, undefined, { tool_input: { command } });
    desk.relayed(frame('abcde', { args: `${JSON.stringify({ command }).slice(0, 199)}…` }));
    expect(asks()).toMatchObject([{ code: 'abcde', input: { command } }]);
    expect(asks()[0]).not.toHaveProperty('cut');
  });

  test('whose relay is late keeps the code it was told with, and both get the verdict', () => {
    const desk = newDesk(true);
    const hook = held(desk);
    clock.advance(300);
    expect(code()).not.toBe('');
    desk.relayed(frame('abcde'));
    expect(asks()).toHaveLength(1);
    answer(desk, code());
    hook.written();
    expect(relayed).toEqual([['abcde', 'allow']]);
  });

  test('never shares the verdict of an answered one: that question nobody has seen', () => {
    const desk = newDesk();
    const hook = held(desk);
    answer(desk, code());
    hook.written();
    desk.relayed(frame('abcde'));
    clock.advance(300);
    expect(relayed).toEqual([]);
    expect(asks()).toHaveLength(2);
  });

  test.each([
    ['the tools differ', { tool: 'Write' }, 0],
    ['the inputs differ', { args: { command: 'rm -rf build' } }, 0],
    ['more than a second lies between', {}, 1500],
  ])('is two when %s', (_, fields, later) => {
    const desk = newDesk(true);
    held(desk);
    clock.advance(later);
    desk.relayed(frame('abcde', fields));
    clock.advance(300);
    expect(asks()).toHaveLength(2);
  });

  test('that asks for words is answered by the hook alone, which can carry them', () => {
    const desk = newDesk(true);
    const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
    const hook = held(desk, undefined, { tool_name: 'AskUserQuestion', tool_input: input });
    desk.relayed(frame('abcde', { tool: 'AskUserQuestion', args: input }));
    expect(asks()).toHaveLength(1);
    answer(desk, code());
    hook.written();
    expect(relayed).toEqual([]);
  });
});

describe('a question on the relay alone', () => {
  test('is told after a moment, and a preview that was cut is called one', () => {
    const desk = newDesk(true);
    desk.relayed(frame('abcde', { args: '{"command":"xxx…' }));
    expect(asks()).toEqual([]);
    clock.advance(300);
    expect(asks()).toMatchObject([{ code: 'abcde', cut: true }]);
  });

  test('whose code was used before gets another, and the verdict goes out under Claude Code’s own', () => {
    codes.claim('abcde');
    const desk = newDesk(true);
    desk.relayed(frame('abcde'));
    clock.advance(300);
    expect(code()).toMatch(/^[a-km-z]{5}$/);
    expect(code()).not.toBe('abcde');
    answer(desk, code());
    expect(relayed).toEqual([['abcde', 'allow']]);
  });

  test('that is asked again after a reconnect is no new one, and hears the verdict it may have missed', () => {
    const desk = newDesk(true);
    desk.relayed(frame('abcde'));
    clock.advance(300);
    desk.relayed(frame('abcde'));
    online = false;
    answer(desk, 'abcde');
    expect(sent()).toEqual([]);
    online = true;
    desk.relayed(frame('abcde'));
    expect([relayed.length, sent().length, asks().length]).toEqual([2, 1, 1]);
    desk.turnEnded('the turn ended');
    desk.relayed(frame('abcde'));
    clock.advance(300);
    expect([relayed.length, asks().length]).toEqual([2, 1]);
    expect(forgotten).toEqual(['abcde']);
  });

  test.each([
    ['is dropped when no dialog shows it: the terminal answered it meanwhile', false, 1],
    ['is told when a dialog still waits', true, 2],
  ])('that comes again after a reconnect, from a Claude whose hooks work, %s', (_, shown, count) => {
    const desk = newDesk(true);
    const first = held(desk, 'toolu_1');
    clock.advance(300);
    first.hangUp();
    clock.advance(1000);
    dialogShown = shown;
    desk.relayed(frame('abcde'), true);
    clock.advance(1100);
    expect(asks()).toHaveLength(count);
  });

  test('that a bridge before saw to its end, and that the channel asks again, is not told anew', () => {
    const desk = newDesk(true, []);
    desk.relayed(frame('abcde'), true);
    clock.advance(1100);
    expect(asks()).toEqual([]);
  });

  test('is not told anew for a dialog that is not its own, as its code says', () => {
    const desk = newDesk(true, [], ['abcde']);
    dialogShown = true;
    desk.relayed(frame('abcde'), true);
    clock.advance(1100);
    expect(asks()).toEqual([]);
    desk.relayed(frame('abcdf'), true);
    clock.advance(1100);
    expect(asks()).toHaveLength(1);
  });

  test('is not told anew for the dialog of another that was just answered, while that may still stand', () => {
    const desk = newDesk(true, []);
    const other = held(desk, 'toolu_2', { tool_input: { command: 'ls' } });
    clock.advance(300);
    dialogShown = true;
    desk.relayed(frame('abcde'), true);
    answer(desk, code());
    other.written();
    clock.advance(2_000);
    expect(asks()).toHaveLength(1);
    // A dialog that stands there so long is another one.
    clock.advance(3_100);
    expect(asks()).toHaveLength(2);
  });

  test('a channel that relays nothing holds up only the first question', () => {
    const desk = newDesk(true);
    held(desk);
    clock.advance(300);
    held(desk, undefined, { tool_input: { command: 'ls' } });
    expect(asks()).toHaveLength(2);
  });
});

describe('a question that was answered in the terminal', () => {
  test('with no: the request is aborted', async () => {
    const desk = newDesk();
    const hook = held(desk);
    hook.hangUp();
    // Until then it may be a process that ends.
    expect(withdrawn()).toEqual([]);
    clock.advance(1000);
    expect(await hook.answered).toEqual({});
    expect(withdrawn()).toMatchObject([{ code: code(), detail: "declined in Claude's terminal" }]);
    expect(answer(desk, code(), 'deny')).toBe(false);
  });

  test('with no, while our yes was on its way: the record says so', () => {
    const desk = newDesk();
    const hook = held(desk);
    answer(desk, code());
    hook.hangUp();
    clock.advance(1000);
    expect(sent()).toEqual([]);
    expect(withdrawn()).toMatchObject([{ code: code() }]);
  });

  test('before it was told: nobody hears of it', async () => {
    const desk = newDesk(true);
    const hook = held(desk);
    hook.hangUp();
    expect(await hook.answered).toEqual({});
    clock.advance(300);
    expect(reports).toEqual([]);
  });

  test('with yes: its tool ran', async () => {
    const desk = newDesk();
    const hook = held(desk, 'toolu_1');
    desk.toolRan('toolu_2', 'Bash');
    expect(desk.open).toBe(1);
    desk.toolRan('toolu_1', 'Bash');
    expect(await hook.answered).toEqual({});
    expect(withdrawn()).toMatchObject([{ detail: "allowed in Claude's terminal, the tool ran" }]);
  });

  test('without an id to go by: the oldest of its tool that nobody denied', () => {
    const desk = newDesk(true);
    for (const id of ['aaaaa', 'bbbbb']) {
      desk.relayed(frame(id, { args: { command: id } }));
      clock.advance(300);
    }
    answer(desk, 'aaaaa', 'deny');
    desk.toolRan('toolu_1', 'Bash');
    expect(withdrawn()).toMatchObject([{ code: 'bbbbb' }]);
  });

  test('is not withdrawn after our verdict, when its tool runs', () => {
    const desk = newDesk();
    const hook = held(desk, 'toolu_1');
    answer(desk, code());
    hook.written();
    desk.toolRan('toolu_1', 'Bash');
    hook.hangUp();
    expect(withdrawn()).toEqual([]);
  });

  test('is not withdrawn after our verdict was handed over, whoever hangs up', () => {
    const desk = newDesk();
    const hook = held(desk, 'toolu_1');
    answer(desk, code());
    hook.written();
    hook.hangUp();
    clock.advance(1000);
    expect(withdrawn()).toEqual([]);
  });

  test('with the end of the agent that asked: nobody declined', () => {
    const desk = newDesk();
    held(desk, 'toolu_1', { agent_id: 'a1' }).hangUp();
    clock.advance(1000);
    expect(withdrawn()).toMatchObject([{ detail: 'its agent was stopped' }]);
  });

  test('by the end of the turn: every one of the main thread is let go, those of agents stay', async () => {
    const desk = newDesk();
    const both = [held(desk, 'toolu_1'), held(desk, 'toolu_2')];
    const ofAgent = held(desk, 'toolu_3', { agent_id: 'a1' });
    desk.turnEnded('the turn ended');
    expect(await Promise.all(both.map(({ answered }) => answered))).toEqual([{}, {}]);
    expect(withdrawn()).toHaveLength(2);
    desk.turnEnded('its agent has ended', 'a1');
    expect(await ofAgent.answered).toEqual({});
    expect(withdrawn()).toHaveLength(3);
  });

  test('by a process that ends: nobody is told that somebody declined', () => {
    const desk = newDesk();
    const hook = held(desk);
    hook.hangUp();
    desk.close();
    clock.advance(2000);
    expect(withdrawn()).toEqual([]);
  });

  test('with no, told by the tools of one answer that are over: what did not run was refused', () => {
    const desk = newDesk();
    held(desk, 'toolu_1');
    desk.relayed(frame('aaaaa', { args: { command: 'other' } }));
    clock.advance(300);
    desk.batchOver(['toolu_1', 'toolu_2']);
    expect(withdrawn()).toMatchObject([{ code: code(), detail: "declined in Claude's terminal" }]);
  });
});

test('keeps only the main thread waiting, and is let go of by Claude Code only where a hook is held', () => {
  const desk = newDesk();
  held(desk, 'toolu_1', { agent_id: 'a1' });
  expect([desk.open, desk.held]).toEqual([0, 0]);
  desk.relayed(frame('aaaaa', { args: { command: 'next' } }));
  expect([desk.open, desk.held]).toEqual([1, 0]);
  held(desk, 'toolu_2', { tool_input: { command: 'other' } });
  expect([desk.open, desk.held]).toEqual([2, 1]);
});

test('closing lets every held request go without a report', async () => {
  const desk = newDesk();
  const hook = held(desk);
  const before = reports.length;
  desk.close();
  expect(await hook.answered).toEqual({});
  expect(reports).toHaveLength(before);
});

describe('more questions than may be open', () => {
  const fill = (desk: PermissionDesk) =>
    [1, 2, 3].map((at) => held(desk, `t${at}`, { tool_input: { command: `make ${at}` } }));

  test('are denied at once with the reason, take no code, and the operator is told', async () => {
    const desk = newDesk();
    fill(desk);
    for (let at = 0; at < 400; at += 1) {
      const { answered } = held(desk, `over${at}`, { tool_input: { command: `touch ${at}` } });
      expect(await answered).toMatchObject({
        hookSpecificOutput: {
          decision: {
            behavior: 'deny',
            message: expect.stringContaining('3 questions of this conversation'),
          },
        },
      });
    }
    expect([asks().length, desk.open, refused]).toEqual([3, 3, 400]);
    expect(withdrawn()).toEqual([]);
  });

  test('are denied by the channel, too', () => {
    const desk = newDesk(true);
    fill(desk);
    clock.advance(250);
    desk.relayed(frame('abcde', { args: { command: 'one more' } }));
    clock.advance(250);
    expect(relayed).toEqual([['abcde', 'deny']]);
    expect(asks()).toHaveLength(3);
  });

  test('are asked again once one is answered', () => {
    const desk = newDesk();
    const [first] = fill(desk);
    answer(desk, code());
    first?.written();
    held(desk, 'next', { tool_input: { command: 'one more' } });
    expect([asks().length, refused]).toEqual([4, 0]);
  });
});

test('a yes to a forged hook does not answer the question of the channel, of which it shows the beginning', async () => {
  const desk = newDesk(true);
  const command = `echo ${'x'.repeat(300)}`;
  const preview = `${JSON.stringify({ command: `${command}; rm -rf ~` }).slice(0, 200)}…`;
  desk.relayed(frame('abcde', { args: preview }));
  const forged = held(desk, undefined, { tool_input: { command } });
  expect(asks()).toMatchObject([{ code: 'abcde', input: { command } }]);
  answer(desk, 'abcde');
  forged.written();
  expect(await forged.answered).toMatchObject(decision('allow'));
  expect(relayed).toEqual([]);
  desk.relayed(frame('abcde', { args: preview }), true);
  expect(relayed).toEqual([]);
});

test('a question says whose yes the policy needs, and only a preview of what is denied is left to the operator', () => {
  const client = { signal: new AbortController().signal, onWritten: () => {} };
  const hold = (tool_input: object, toolUse: string) =>
    void newDesk().hold(
      1,
      { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input },
      toolUse,
      client,
    );
  ruling = { decision: { quorum: 2 }, rule: 3, why: 'rule 3' };
  hold(bash, 'u1');
  expect(reports.at(-1)).toMatchObject({ type: 'permission.ask', needs: { quorum: 2 }, rule: 'rule 3' });
  ruling = { decision: 'deny', rule: 1, why: 'rule 1' };
  hold({}, 'u2');
  expect(reports.at(-1)).toMatchObject({ needs: 'operator' });
});
