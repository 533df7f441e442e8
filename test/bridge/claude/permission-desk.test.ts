import { beforeEach, describe, expect, test } from 'vitest';
import { PermissionRequestHook } from '../../../src/bridge/claude/hook-schema.ts';
import { PermissionDesk, permissionCode } from '../../../src/bridge/claude/permission-desk.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import { PermissionCode, type PermissionRequest } from '../../../src/protocol/wire.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let desk: PermissionDesk;
let reports: AgentReport[];
let relayed: [string, string][];
let abort: AbortController;
beforeEach(() => {
  clock = new ManualClock();
  reports = [];
  relayed = [];
  abort = new AbortController();
  desk = new PermissionDesk({
    clock,
    permissionMs: 600_000,
    report: (report) => reports.push(report),
    relay: (code, verdict) => relayed.push([code, verdict]),
  });
});

const bash = { command: 'make', description: 'Build' };
const request = (fields: Record<string, unknown> = {}) =>
  PermissionRequestHook.parse({
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: bash,
    ...fields,
  });
const frame = (request_id: string, tool = 'Bash'): PermissionRequest => ({
  type: 'permission_request',
  request_id,
  tool,
  args: '{"command":"make"}',
  rationale: 'Build',
});
const hold = (toolUse?: string, fields?: Record<string, unknown>) =>
  desk.hold(request(fields), toolUse, abort.signal);
const codes = () => reports.flatMap((report) => (report.type === 'permission.ask' ? [report.code] : []));
const answer = (code: string, verdict: 'allow' | 'deny' = 'allow') =>
  desk.answer({ code, verdict, scope: 'once' });
const decision = (behavior: string) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: expect.objectContaining({ behavior }) },
});

test('a held question is told once, with its whole input and its time', () => {
  void hold('toolu_1');
  expect(reports).toEqual([
    {
      type: 'permission.ask',
      code: expect.stringMatching(/^[a-km-z]{5}$/),
      tool: 'Bash',
      input: bash,
      rationale: 'Build',
      expires_at: clock.wall() + 600_000,
      tool_use: 'toolu_1',
    },
  ]);
});

test('codes have five letters and no l', () => {
  for (let i = 0; i < 500; i += 1) expect(PermissionCode.safeParse(permissionCode()).success).toBe(true);
});

test('a verdict answers the hook, once', async () => {
  const held = hold();
  const [code = ''] = codes();
  expect(answer(code)).toBe(true);
  expect(await held).toEqual(decision('allow'));
  expect(answer(code, 'deny')).toBe(false);
  expect(reports.filter(({ type }) => type === 'permission.sent')).toHaveLength(1);
  expect(desk.open).toBe(0);
});

test('an unknown code answers nothing', async () => {
  void hold();
  expect(answer('zzzzz')).toBe(false);
  expect(desk.open).toBe(1);
});

describe('a question on both roads', () => {
  test('is one question: the relay’s code becomes an alias, and the verdict goes out on both', async () => {
    const held = hold();
    clock.advance(200);
    desk.relayed(frame('abcde'));
    expect(codes()).toHaveLength(1);
    answer(codes()[0] ?? '', 'deny');
    expect(await held).toEqual(decision('deny'));
    expect(relayed).toEqual([['abcde', 'deny']]);
  });

  test('keeps Claude Code’s own code when the relay is first', async () => {
    desk.relayed(frame('abcde'));
    const held = hold('toolu_1');
    expect(codes()).toEqual(['abcde']);
    answer('abcde');
    expect(await held).toEqual(decision('allow'));
    expect(relayed).toEqual([['abcde', 'allow']]);
  });

  test('gets the verdict on the second road too when that comes after the answer', async () => {
    void hold();
    answer(codes()[0] ?? '');
    desk.relayed(frame('abcde'));
    expect(codes()).toHaveLength(1);
    expect(relayed).toEqual([['abcde', 'allow']]);
  });

  test('is two when the tools differ or more than a second lies between', () => {
    void hold();
    desk.relayed(frame('abcde', 'Write'));
    clock.advance(1500);
    desk.relayed(frame('fghij'));
    expect(codes()).toHaveLength(3);
  });

  test('relayed again after a reconnect is not asked again, and hears the verdict it may have missed', () => {
    desk.relayed(frame('abcde'));
    desk.relayed(frame('abcde'));
    expect(codes()).toEqual(['abcde']);
    answer('abcde');
    desk.relayed(frame('abcde'));
    expect(relayed).toEqual([
      ['abcde', 'allow'],
      ['abcde', 'allow'],
    ]);
  });
});

describe('a question that was answered in the terminal', () => {
  const withdrawn = () => reports.filter(({ type }) => type === 'permission.withdrawn');

  test('with no: the request is aborted', async () => {
    const held = hold();
    abort.abort();
    expect(await held).toEqual({});
    expect(withdrawn()).toEqual([
      { type: 'permission.withdrawn', code: codes()[0], detail: 'declined in the terminal' },
    ]);
    expect(answer(codes()[0] ?? '', 'deny')).toBe(false);
  });

  test('with yes: its tool ran', async () => {
    const held = hold('toolu_1');
    desk.toolRan('toolu_2', 'Bash');
    expect(desk.open).toBe(1);
    desk.toolRan('toolu_1', 'Bash');
    expect(await held).toEqual({});
    expect(withdrawn()).toHaveLength(1);
  });

  test('is not withdrawn after our verdict, when its tool runs', async () => {
    void hold('toolu_1');
    answer(codes()[0] ?? '');
    desk.toolRan('toolu_1', 'Bash');
    abort.abort();
    expect(withdrawn()).toEqual([]);
  });

  test('or left the screen with all others: every one is let go', async () => {
    const both = [hold('toolu_1'), hold('toolu_2')];
    desk.withdrawAll('the turn ended');
    expect(await Promise.all(both)).toEqual([{}, {}]);
    expect(withdrawn()).toHaveLength(2);
  });
});

test('closing lets every held request go without a report', async () => {
  const held = hold();
  const before = reports.length;
  desk.close();
  expect(await held).toEqual({});
  expect(reports).toHaveLength(before);
});
