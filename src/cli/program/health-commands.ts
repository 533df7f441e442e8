// metrics, cost: how much of everything.
import type { Command } from 'commander';
import {
  type CommandTable,
  everyNamed,
  exitWith,
  sessionWords,
  stateOf,
  withBridge,
  withExamples,
  withJson,
} from './parts.ts';

export const healthCommands: CommandTable = { cost: addCost, metrics: addMetrics };

function addCost(root: Command): void {
  const command = withJson(withBridge(root.command('cost')))
    .description('show what Claude Code says its work would cost, by session and by day')
    .argument('[session...]', `${sessionWords}; all when left out`, everyNamed)
    .option('--since <time>', 'only from the day of then on (UTC), e.g. 12h, 7d, 2026-02-03');
  withExamples(command, [
    ['synthesis cost', 'every session, the dearest first, every day, and the sum'],
    ['synthesis cost notes --since 7d', 'one session, the last seven days and today'],
    ['synthesis cost --json | jq .usd', 'the sum, US dollars; null when nothing was told'],
  ]).action((sessions, options) =>
    exitWith(
      import('../commands/sessions/cost.ts').then(({ cost }) =>
        cost({ ...options, sessions, state: stateOf(options) }),
      ),
    ),
  );
}

function addMetrics(root: Command): void {
  withExamples(
    withBridge(root.command('metrics')).description(
      'print what is counted, in the text format of Prometheus',
    ),
    [
      ['synthesis metrics', 'everything, once'],
      ["synthesis metrics | grep '^synthesis_sessions{'", 'how many sessions work, wait and ask'],
      [
        'synthesis config set metrics.http true',
        'lets Prometheus ask the bridge itself, from its next start on',
      ],
    ],
  ).action((options) =>
    exitWith(import('../commands/metrics.ts').then(({ metrics }) => metrics({ state: stateOf(options) }))),
  );
}
