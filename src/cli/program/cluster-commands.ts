// cluster: the machines that are one.
import type { Command } from 'commander';
import {
  type CommandTable,
  exitWith,
  named,
  port,
  sessionWords,
  stateOf,
  withBridge,
  withExamples,
  withJson,
  withState,
} from './parts.ts';

export const clusterCommands: CommandTable = { cluster: addCluster };

function addCluster(root: Command): void {
  const parent = root
    .command('cluster')
    .description('the machines whose conversations and operators are shared, by way of NATS')
    .helpCommand(false);
  withExamples(parent, [
    ['synthesis cluster status', 'this machine and the others'],
    ['synthesis cluster move notes mac', 'from now on it lives there'],
    ['synthesis ps --node mac', 'any command, on another machine'],
  ]);
  withJson(withBridge(parent.command('status')))
    .description('which machines there are, and how they are; exit code 7 when one is away')
    .action((options) =>
      exitWith(
        import('../commands/cluster/status.ts').then(({ clusterStatus }) =>
          clusterStatus({ json: options.json, state: stateOf(options) }),
        ),
      ),
    );
  addMove(parent);
  addDrain(parent);
  addForget(parent);
}

const timeout = ['--timeout <time>', 'for what runs to end, e.g. 90s, 10m (default: 5m)'] as const;

function addMove(parent: Command): void {
  withExamples(
    withJson(withBridge(parent.command('move')))
      .description('bring a conversation to another machine, as soon as it is idle')
      .argument('<session>', sessionWords, named)
      .argument('<to>', 'the machine (see `synthesis cluster status`)')
      .option(...timeout),
    [
      ['synthesis cluster move notes mac', 'Claude knows there what was said'],
      ['synthesis cluster move notes mac --timeout 10', 'stays if busy for 10 s'],
    ],
  ).action((session, to, options) =>
    exitWith(
      import('../commands/cluster/move.ts').then(({ clusterMove }) =>
        clusterMove({ ...options, session, to, state: stateOf(options) }),
      ),
    ),
  );
}

function addDrain(parent: Command): void {
  withExamples(
    withJson(withBridge(parent.command('drain')))
      .description('bring every conversation of this machine to others, and begin none here')
      .option(...timeout),
    [
      ['synthesis cluster drain && synthesis down', 'before the machine is restarted'],
      ['synthesis cluster drain --node mac', 'those of another machine'],
    ],
  ).action((options) =>
    exitWith(
      import('../commands/cluster/drain.ts').then(({ clusterDrain }) =>
        clusterDrain({ ...options, state: stateOf(options) }),
      ),
    ),
  );
  addUp(parent);
}

function addForget(parent: Command): void {
  withExamples(
    withJson(withBridge(parent.command('forget')))
      .description('give up a machine that is gone for good, and let its conversations begin anew')
      .argument('<machine>', 'one that is away or has stopped')
      .option('-y, --yes', 'do not ask', false),
    [['synthesis cluster forget old-laptop', 'asks, and says how many conversations that were']],
  ).action((machine, options) =>
    exitWith(
      import('../commands/cluster/forget.ts').then(({ clusterForget }) =>
        clusterForget({ ...options, machine, state: stateOf(options) }),
      ),
    ),
  );
}

function addUp(parent: Command): void {
  withExamples(
    withState(parent.command('up'))
      .description(
        'run a nats-server for a trial on this machine, until Ctrl-C, and print how bridges become its nodes',
      )
      .option('--local', 'on this machine alone; there is no other way')
      .option('--port <n>', 'on 127.0.0.1', port, 4222)
      .option('--store <dir>', 'where the server keeps its files (default: `nats` in the state folder)'),
    [
      ['synthesis cluster up', 'then the lines it prints, in another terminal'],
      ['synthesis docs many-machines', 'servers of your own, for good'],
    ],
  ).action((options) =>
    exitWith(
      import('../commands/cluster/up.ts').then(({ clusterUp }) =>
        clusterUp({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}
