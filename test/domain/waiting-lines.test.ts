import { expect, test } from 'vitest';
import { emptySession } from '../../src/domain/state/session.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import { waitingLines } from '../../src/domain/views/words/mode-words.ts';

const row = (key: string, cwd: string | null, mode: string | null = null) => ({
  ...sessionRow(emptySession(key), `id-${key}`),
  waits_for_restart:
    cwd === null && mode === null ? null : { cwd, permission_mode: mode, sandbox: null, contain: null },
});

test('a change that waits in many sessions is said once, with one command for all of them', () => {
  const rows = [
    row('a', '/work'),
    row('b', null),
    row('c', '/work'),
    row('d', '/work', 'plan'),
    row('e', '/work'),
  ];
  expect(waitingLines(rows)).toEqual([
    'a and 2 more: folder /work waits for: synthesis restart id-a id-c id-e',
    'd: permission mode plan and folder /work waits for: synthesis restart id-d',
  ]);
  expect(waitingLines([row('b', null)])).toEqual([]);
});
