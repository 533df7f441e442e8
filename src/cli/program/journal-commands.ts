// journal: what is stored, how much of it, and whether it is whole.
import type { Command } from 'commander';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const journalCommands: CommandTable = { journal: addJournal };

const load = () => import('../commands/journal.ts');

function addJournal(root: Command): void {
  const command = root
    .command('journal')
    .description('what is stored: how much, is it whole, all of it as lines; needs no running bridge')
    .helpCommand(false);
  withExamples(command, [
    ['synthesis journal stats', 'rows and bytes, of the journal and of its archive'],
    ['synthesis journal verify', 'was anything altered or left out? The same as `audit verify`'],
    ['synthesis journal export > rows.ndjson', 'every row there is, the archived ones too'],
    ['synthesis journal export --since 30d', 'those of the last 30 days'],
  ]);
  withJson(withState(command.command('stats')))
    .description('rows and bytes, of the journal and of its archive')
    .action((options) =>
      exitWith(load().then(({ journalStats }) => journalStats({ ...options, state: stateOf(options) }))),
    );
  withJson(withState(command.command('verify')))
    .description(
      'prove that no row was altered or left out; exit code 0, 7 when not all of it can be proven, else 1',
    )
    .action((options) =>
      exitWith(
        import('../commands/audit-verify.ts').then(({ auditVerify }) =>
          auditVerify({ anchor: [], json: options.json, state: stateOf(options) }),
        ),
      ),
    );
  withState(command.command('export'))
    .description('print every row, the archived ones too, one JSON object a line, oldest first')
    .option('--since <time>', 'only from then on, e.g. 10m, 2h, 2026-02-03T10:00:00Z')
    .action((options) =>
      exitWith(load().then(({ journalExport }) => journalExport({ ...options, state: stateOf(options) }))),
    );
}
