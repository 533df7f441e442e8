import { hashId } from '../../../src/base/digest.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeRun } from '../../../src/bridge/claude/claude-run.ts';
import { defaultLimits } from '../../../src/bridge/claude/options.ts';
import { RunIdentity } from '../../../src/bridge/claude/run-identity.ts';
import type { RunOptions } from '../../../src/bridge/claude/run-options.ts';
import { findTurn } from '../../../src/domain/state/session.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { letThrough } from '../../support/rulings.ts';
import { SmallCore } from '../../support/small-core.ts';
import { NoHost } from './no-host.ts';
import { Title } from './screen/title.ts';
import { usualKeys } from './usual-keys.ts';

/** What its channel has to show. */
export const secret = 'secret';

/** A Claude Code of which only what a test gives is there: no process, no policy, nobody who listens but a core. */
export function bareRun(given: Partial<RunOptions>): ClaudeRun {
  const core = new SmallCore();
  return new ClaudeRun({
    session: () => core.session(),
    clock: new ManualClock(),
    log: silentLog,
    limits: defaultLimits,
    terminal: new Title(),
    digest: hashId(secret, 64),
    mark: 'no folder.run',
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
    judge: () => letThrough,
    health: [],
    joins: () => [],
    reported: async () => {},
    questionRefused: () => {},
    unproven: () => {},
    hooksOff: async () => undefined,
    learned: () => {},
    keys: usualKeys,
    ...given,
    report: (report, heard) => {
      // A test that says a turn was taken has no need to say before that it was on its way.
      if (report.type === 'prompt.taken' && !findTurn(core.session(), report.turn))
        core.hand(report.turn, '');
      core.dispatch(report);
      given.report?.(report, heard);
    },
  });
}
