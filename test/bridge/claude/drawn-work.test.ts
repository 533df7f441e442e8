import { beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeRun } from '../../../src/bridge/claude/claude-run.ts';
import { defaultLimits } from '../../../src/bridge/claude/options.ts';
import { RunIdentity } from '../../../src/bridge/claude/run-identity.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noRule } from '../../support/rulings.ts';
import { NoHost } from './no-host.ts';
import { Title } from './title.ts';

const working = '◐ Claude Code';
const idle = '✳ Claude Code';

let terminal: Title;
let run: ClaudeRun;
beforeEach(() => {
  terminal = new Title();
  run = new ClaudeRun({
    clock: new ManualClock(),
    log: silentLog,
    limits: defaultLimits,
    terminal,
    digest: '',
    host: new NoHost(),
    identity: new RunIdentity({
      claude: '',
      isUsed: () => false,
      lock: () => true,
      located: () => {},
      log: silentLog,
    }),
    tools: [],
    mode: 'manual',
    relays: false,
    claimCode: () => 'abcde',
    judge: () => noRule,
    joins: () => [],
    report: () => {},
    reported: async () => {},
    questionRefused: () => {},
  });
  terminal.draw(idle);
});

test('a turn worked when work was drawn since it began', () => {
  run.taken('t1');
  expect(run.worked).toBe(false);
  terminal.draw(working);
  expect(run.worked).toBe(true);
});

test('or before its hook came', () => {
  terminal.draw(working);
  run.taken('t1');
  expect(run.worked).toBe(true);
});

test('work that is still drawn is that of the turn before', () => {
  run.taken('t1');
  terminal.draw(working);
  run.turnIdle(false);
  run.taken('t2');
  expect(run.worked).toBe(false);
  terminal.draw(working);
  expect(run.worked).toBe(false);
  terminal.draw(idle);
  terminal.draw(working);
  expect(run.worked).toBe(true);
});
