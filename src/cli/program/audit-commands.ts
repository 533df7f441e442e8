// audit: an account of what was allowed, and the proof that it is whole.
import type { Command } from 'commander';
import {
  type CommandTable,
  collect,
  exitWith,
  sessionWords,
  stateOf,
  withExamples,
  withJson,
  withState,
} from './parts.ts';

export const auditCommands: CommandTable = { audit: addAudit };

const loadVerify = () => import('../commands/journal/audit-verify.ts');

function addAudit(root: Command): void {
  const command = withJson(withState(root.command('audit')))
    .description('who asked, who allowed it, what ran; needs no running bridge')
    .option('--since <time>', 'only from then on, e.g. 10m, 2h, 2026-02-03T10:00:00Z')
    .option('--session <session>', sessionWords)
    .helpCommand(false);
  withExamples(command, [
    ['synthesis audit --since 1d', 'every permission question of the last day'],
    ['synthesis audit --session notes --json', 'with the whole input, one JSON object a line'],
    ['synthesis audit verify', 'was anything altered or left out?'],
    ['synthesis audit anchor', 'prints a line to be kept elsewhere'],
    ['synthesis audit verify --anchor "$(cat anchor)"', 'holds also against whoever has the key'],
  ]).action((options) =>
    exitWith(
      import('../commands/journal/audit.ts').then(({ audit }) =>
        audit({ ...options, state: stateOf(options) }),
      ),
    ),
  );
  command
    .command('verify')
    .description(
      'prove that no row was altered or left out; exit code 0, 7 when not all of it can be proven, else 1',
    )
    .option(
      '--anchor <line>',
      'a line of `audit anchor` that was kept; may be given more than once',
      collect,
      [],
    )
    .action((_own, inner: Command) => {
      const { anchor, json, stateDir } = inner.optsWithGlobals<Given & { anchor: string[] }>();
      const state = stateOf(stateDir === undefined ? {} : { stateDir });
      return exitWith(loadVerify().then(({ auditVerify }) => auditVerify({ state, anchor, json })));
    });
  command
    .command('anchor')
    .description('print one line that says how far the journal goes, to be kept elsewhere')
    .action((_own, inner: Command) => {
      const { json, stateDir } = inner.optsWithGlobals<Given>();
      const state = stateOf(stateDir === undefined ? {} : { stateDir });
      return exitWith(loadVerify().then(({ auditAnchor }) => auditAnchor({ state, json })));
    });
}

interface Given {
  json: boolean;
  stateDir?: string;
}
