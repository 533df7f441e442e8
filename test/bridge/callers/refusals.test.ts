import { expect, test } from 'vitest';
import { Refusals } from '../../../src/bridge/callers/refusals.ts';
import type { Caller } from '../../../src/domain/caller/caller.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function desk() {
  const clock = new ManualClock();
  const rows: string[] = [];
  const stopped: string[] = [];
  const refusals = new Refusals({
    clock,
    keyOf: (folder) => (folder === 'f00' ? 's' : undefined),
    record: ({ method, key }) => rows.push(`${method} ${key}`),
    stop: (key, reason) => stopped.push(`${key}: ${reason}`),
  });
  const claude: Caller = { kind: 'claude', why: '', from: '', session: 'f00' };
  const tries = (count: number, caller = claude, isLook = false) => {
    for (let n = 0; n < count; n += 1) refusals.add({ caller, method: 'permission.decide', isLook });
  };
  return { clock, rows, stopped, refusals, tries, claude };
}

test('the fifth try of a session within a minute ends its Claude Code, and counting begins anew', () => {
  const { clock, stopped, tries } = desk();
  tries(4);
  clock.advance(60_000);
  tries(4);
  expect(stopped).toEqual([]);
  tries(1);
  expect(stopped).toEqual([expect.stringContaining('s: what it started has tried 5 times')]);
  tries(4);
  expect(stopped).toHaveLength(1);
});

test('who only looks, and who is of no session, ends nothing', () => {
  const { stopped, tries, claude } = desk();
  tries(50, claude, true);
  tries(50, { kind: 'claude', why: '', from: '' });
  tries(50, { ...claude, session: 'gone' });
  tries(50, { kind: 'unattended', why: '', from: '' });
  expect(stopped).toEqual([]);
});

test('rows are few, and the operator is shown how often for a day', () => {
  const { clock, rows, refusals, tries } = desk();
  expect(refusals.health).toEqual([]);
  tries(100);
  expect(rows).toHaveLength(30);
  expect(rows[0]).toBe('permission.decide s');
  expect(refusals.health).toMatchObject([
    { code: 'caller_refused', words: expect.stringMatching(/started in s has called.*100 times/) },
  ]);
  clock.advance(24 * 60 * 60_000 + 1);
  expect(refusals.health).toEqual([]);
});

test('a script that may not decide is kept as a row, and is no trouble to show', () => {
  const { rows, refusals, tries } = desk();
  tries(1, { kind: 'unattended', why: '', from: '' });
  expect([rows, refusals.health]).toEqual([['permission.decide undefined'], []]);
});
