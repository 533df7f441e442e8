// secret: what a person proves their decisions with.
import type { Command } from 'commander';
import { type CommandTable, collect, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const secretCommands: CommandTable = { secret: addSecret };

function addSecret(root: Command): void {
  const parent = root
    .command('secret')
    .description('the operator secret: nothing is decided on this machine without your SSH key, or a code')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nIt is asked for by approve, resume, rm, prune, attach --drive, tools call, tools add and remove, and\ncluster move, drain and forget. Denying, panic and stopping stay free. See `synthesis docs permissions`.',
    );
  withExamples(parent, [
    ['synthesis secret new --ssh-key ~/.ssh/id_ed25519_sk.pub', 'a touch of that key for each decision'],
    ['synthesis secret remove', 'asks for the secret that holds'],
  ]);
  addNew(parent);
  addRemove(parent);
}

function addNew(parent: Command): void {
  const command = withJson(withState(parent.command('new')))
    .description('set it, from the next start of the bridge on; one that is set has to be proven first')
    .option(
      '--ssh-key <file>',
      'a public key (ed25519, ecdsa with P-256, or of a touch key); repeatable',
      collect,
      [],
    )
    .option('--totp', 'codes of an app for them: prints its key once', false);
  withExamples(command, [
    ['synthesis secret new --ssh-key ~/.ssh/sk.pub --ssh-key spare.pub', 'either key decides alone'],
    ['synthesis secret new --totp', 'asks for a code before it holds'],
  ]).action((options) =>
    exitWith(
      import('../commands/secret/new.ts').then(({ secretNew }) =>
        secretNew({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addRemove(parent: Command): void {
  const command = withState(parent.command('remove').alias('rm')).description(
    'take it away, from the next start of the bridge on; it has to be proven first',
  );
  withExamples(command, [
    ['synthesis secret remove', 'the start after it says that it was taken away'],
  ]).action((options) =>
    exitWith(
      import('../commands/secret/remove.ts').then(({ secretRemove }) =>
        secretRemove({ state: stateOf(options) }),
      ),
    ),
  );
}
