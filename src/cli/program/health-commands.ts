// metrics: how much of everything, for programs that watch.
import type { Command } from 'commander';
import { type CommandTable, exitWith, stateOf, withExamples, withState } from './parts.ts';

export const healthCommands: CommandTable = { metrics: addMetrics };

function addMetrics(root: Command): void {
  withExamples(
    withState(root.command('metrics')).description('print what is counted, in the text format of Prometheus'),
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
