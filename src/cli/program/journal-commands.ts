// journal: what is stored, how much of it, and whether it is whole.
import type { Command } from 'commander';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const journalCommands: CommandTable = { journal: addJournal, prune: addPrune };

const load = () => import('../commands/journal/journal.ts');

function addJournal(root: Command): void {
  const command = withState(root.command('journal'))
    .description('what is stored: how much, is it whole, all of it as lines; needs no running bridge')
    .helpCommand(false);
  withExamples(command, [
    ['synthesis journal stats', 'rows and bytes, of the journal and of its archive'],
    ['synthesis journal verify', 'was anything altered or left out? The same as `audit verify`'],
    ['synthesis journal export > rows.ndjson', 'every row there is, the archived ones too'],
    ['synthesis journal export --since 30d', 'those of the last 30 days'],
  ]);
  const add = <T>(
    name: string,
    description: string,
    run: (given: T & { state: string }) => Promise<number>,
  ) =>
    command
      .command(name)
      .description(description)
      .configureHelp({ showGlobalOptions: true })
      .action((_own, inner: Command) => {
        const given = inner.optsWithGlobals<T & { stateDir?: string }>();
        return exitWith(run({ ...given, state: stateOf(given) }));
      });
  withJson(
    add<Json>('stats', 'rows and bytes, of the journal and of its archive', async (given) =>
      (await load()).journalStats(given),
    ),
  );
  withJson(
    add<Json>(
      'verify',
      'prove that no row was altered or left out; exit code 0, 7 when not all of it can be proven, else 1',
      async (given) =>
        (await import('../commands/journal/audit-verify.ts')).auditVerify({ ...given, anchor: [] }),
    ),
  );
  add<{ since?: string }>(
    'export',
    'print every row, the archived ones too, one JSON object a line, oldest first',
    async (given) => (await load()).journalExport(given),
  ).option('--since <time>', 'only from then on, e.g. 10m, 2h, 2026-02-03T10:00:00Z');
}

function addPrune(root: Command): void {
  const command = withJson(withState(root.command('prune')))
    .description('delete what nothing needs: sessions removed with --keep, copies of damaged files')
    .option('-y, --yes', 'do not ask', false)
    .option('--dry-run', 'list it, and delete nothing', false);
  withExamples(command, [
    ['synthesis prune', 'lists it with sizes, and asks'],
    ['synthesis prune --dry-run', 'lists it, and deletes nothing'],
    ['synthesis prune --yes --json', 'for programs: deletes, and prints what'],
  ]).action((options) =>
    exitWith(
      import('../commands/journal/prune.ts').then(({ prune }) =>
        prune({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

interface Json {
  json: boolean;
}
