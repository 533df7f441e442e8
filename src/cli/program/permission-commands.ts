import { type Command, Option } from 'commander';
import { approvals, decide } from '../commands/approvals.ts';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const permissionCommands: CommandTable = {
  approvals: addApprovals,
  approve: addApprove,
  deny: addDeny,
};

function addApprovals(root: Command): void {
  withExamples(
    withJson(withState(root.command('approvals'))).description('list the permission requests that wait'),
    [
      ['synthesis approvals', 'code, tool and input of each'],
      ['synthesis approvals --json', 'with the whole input'],
    ],
  ).action((options) => exitWith(approvals({ json: options.json, state: stateOf(options) })));
}

const verdictOf =
  (verdict: 'allow' | 'deny') => (code: string, options: { stateDir?: string; json: boolean }) =>
    exitWith(decide({ ...options, code, verdict, state: stateOf(options) }));

function addApprove(root: Command): void {
  withExamples(
    withJson(withState(root.command('approve')))
      .description('allow a permission request, or answer a question of Claude')
      .argument('<code>', 'the five letters of the request')
      .addOption(
        new Option('--scope <scope>', 'how long it holds').choices(['once', 'session']).default('once'),
      )
      .option('-y, --yes', 'allow it without asking once more')
      .option('--answer <text>', 'for a question: the number of an option, or your own words'),
    [
      ['synthesis approve kqzfd', 'shows all of it, asks, and allows it this once'],
      ['synthesis approve kqzfd --scope session', 'and what Claude Code suggests for its session'],
      ['synthesis approve kqzfd --answer 2', 'picks the second option of a question'],
    ],
  ).action(verdictOf('allow'));
}

function addDeny(root: Command): void {
  withExamples(
    withJson(withState(root.command('deny')))
      .description('deny a permission request')
      .argument('<code>', 'the five letters of the request')
      .option('--reason <text>', 'what Claude is told'),
    [['synthesis deny kqzfd --reason "use the staging database"', 'Claude goes on with that']],
  ).action(verdictOf('deny'));
}
