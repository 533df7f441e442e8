import { expect, test } from 'vitest';
import { hashId } from '../../../src/base/digest.ts';
import { withNotices } from '../../../src/bridge/wiring/bridge-status.ts';
import { hostNotices, lasting } from '../../../src/bridge/wiring/start/host-notices.ts';
import type { BridgeStatus } from '../../../src/domain/views/control.ts';
import type { SessionRow } from '../../../src/domain/views/session/session-row.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const host = (key: string, pid: number) => ({
  name: hashId(key),
  file: { run: 'r', pid, started: '1', socket: '/s' },
});
const row = (key: string, state: SessionRow['state'], pid: number | null = null) => ({
  id: hashId(key, 12),
  key,
  state,
  pid,
});
const codes = (...of: Parameters<typeof hostNotices>) => hostNotices(...of).map(({ code }) => code);

test.each<SessionRow['state']>(['starting', 'dialog', 'idle', 'working', 'asking', 'stopping'])(
  'the host of a session that is %s belongs to it',
  (state) => {
    expect(codes([host('a', 1)], [row('a', state), row('b', 'stopped')])).toEqual([]);
  },
);

test('a host whose session is stopped, or unknown, is named with its pid', () => {
  const found = hostNotices([host('a', 11), host('b', 12)], [row('a', 'stopped'), row('c', 'starting')]);
  expect(found).toMatchObject([
    { code: 'host_without_session', words: expect.stringContaining('(pid 11) of a is there') },
    {
      code: 'host_without_session',
      words: expect.stringContaining('(pid 12) of a session that nobody knows'),
    },
  ]);
});

test('a Claude Code that runs without a host is named with its pid, one that is only starting is not', () => {
  const rows = [row('a', 'idle', 21), row('b', 'working', 22), row('c', 'starting')];
  expect(hostNotices([host('a', 1)], rows)).toMatchObject([
    { code: 'session_without_host', words: expect.stringContaining('(pid 22) of b') },
  ]);
});

test('what is over a moment later, and what has just begun then, is not said', async () => {
  const clock = new ManualClock();
  const looks = [
    hostNotices([host('ends', 1), host('stays', 2)], []),
    hostNotices([host('stays', 2), host('begins', 3)], []),
  ];
  const lasts = lasting(() => looks.shift() ?? [], clock);
  clock.advance(1_000);
  expect(await lasts).toMatchObject([{ words: expect.stringContaining('(pid 2)') }]);
});

test('where all fits nobody waits', async () => {
  expect(await lasting(() => [], new ManualClock())).toEqual([]);
});

test('a notice makes a healthy bridge degraded, and an unavailable one no better', () => {
  const status = { status: 'healthy', notices: [], health: [] } as Partial<BridgeStatus> as BridgeStatus;
  const notice = { code: 'host_without_session', words: 'A host.' };
  expect(withNotices(status, [])).toBe(status);
  expect(withNotices(status, [notice])).toEqual({ status: 'degraded', notices: [notice], health: [notice] });
  expect(withNotices({ ...status, status: 'unavailable' }, [notice]).status).toBe('unavailable');
});
