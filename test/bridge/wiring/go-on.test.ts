import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { LateResults } from '../../../src/bridge/app/late-results.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import { OwnedHosts } from '../../../src/bridge/terminal/owned-hosts.ts';
import { goOn } from '../../../src/bridge/wiring/start/go-on.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const config = { ...Config.parse({}), cwd: '/w' };
const launch = { cwd: '/w', permissionMode: 'manual' as const, delivery: 'auto' as const };

test('an unattended run that goes on after a restart ends its Claude Code when it is over, as it would have before', async () => {
  const journal = new MemoryJournal();
  const bridge = () =>
    new Dispatcher({ journal, limits: { queued: 3 }, log: silentLog, perform: () => {}, failed: () => {} });
  bridge().dispatch('k', {
    type: 'turn.submit',
    turn: 't',
    claude: 'c',
    launch,
    ingress: 'openai',
    text: 'go',
    meta: { own_session: 'yes' },
  });

  const dispatcher = bridge();
  dispatcher.load();
  const clock = new ManualClock();
  const deadlines = new Deadlines({
    clock,
    cancelMs: 1_000,
    deliverMs: 1_000,
    turnMs: 1_000,
    unattendedMs: 60_000,
    tasksMs: 60_000,
    dispatch: (key, command) => void dispatcher.dispatch(key, command),
  });
  journal.subscribe((row) => deadlines.observe(row));
  const agent = {
    adopt: () => {
      throw new Error('no host is there');
    },
  };
  const results = new LateResults();
  const place = { stateDir: '/nowhere', secret: 'none', hosts: new OwnedHosts(), log: silentLog };
  await goOn({ dispatcher, deadlines, agent, config, results, ...place });
  dispatcher.dispatch('k', { type: 'agent.starting' });
  dispatcher.dispatch('k', { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  dispatcher.dispatch('k', { type: 'prompt.taken', turn: 't' });
  dispatcher.dispatch('k', { type: 'turn.rest' });
  clock.advance(59_000);
  expect(dispatcher.session('k')?.agent.name).toBe('ready');
  clock.advance(1_000);
  expect(dispatcher.session('k')?.agent.name).toBe('stopping');
  deadlines.close();
});
