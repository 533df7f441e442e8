// cluster: the machines that are one.
import type { Command } from 'commander';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const clusterCommands: CommandTable = { cluster: addCluster };

function addCluster(root: Command): void {
  const parent = root
    .command('cluster')
    .description('the machines whose conversations and operators are shared, by way of NATS')
    .helpCommand(false);
  withExamples(
    withJson(withState(parent.command('status'))).description(
      'which machines there are, and how they are; exit code 7 when one is away',
    ),
    [
      ['synthesis cluster status', 'this machine and the others'],
      ['synthesis ps --node mac', 'any other command, on the bridge of another machine'],
    ],
  ).action((options) =>
    exitWith(
      import('../commands/cluster/status.ts').then(({ clusterStatus }) =>
        clusterStatus({ json: options.json, state: stateOf(options) }),
      ),
    ),
  );
}
