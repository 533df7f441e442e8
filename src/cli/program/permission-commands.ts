import { type Command, Option } from 'commander';
import { approvals, decide } from '../commands/approvals.ts';
import { type CommandTable, exitWith, stateOf, withBridge, withExamples, withJson } from './parts.ts';

export const permissionCommands: CommandTable = {
  approvals: addApprovals,
  approve: addApprove,
  deny: addDeny,
  policy: addPolicy,
};

function addApprovals(root: Command): void {
  withExamples(
    withJson(withBridge(root.command('approvals'))).description('list the permission requests that wait'),
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
    withJson(withBridge(root.command('approve')))
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
    withJson(withBridge(root.command('deny')))
      .description('deny a permission request')
      .argument('<code>', 'the five letters of the request')
      .option('--reason <text>', 'what Claude is told'),
    [['synthesis deny kqzfd --reason "use the staging database"', 'Claude goes on with that']],
  ).action(verdictOf('deny'));
}

const doors = ['openai', 'agp', 'operator', 'adopted'];

function addPolicy(root: Command): void {
  const parent = root.command('policy').description('what the policy of the configuration says');
  addPolicyTest(parent);
  addPolicyFuzz(parent);
}

function addPolicyTest(parent: Command): void {
  withExamples(
    withJson(parent.command('test'))
      .description(
        'which rule decides about a call, and why; what each field means; exit code 5 unless it is allowed',
      )
      .argument('<session>', 'the key of a session; it need not exist')
      .argument('<tool>', 'a tool of Claude Code, or of the hub')
      .argument('<input>', 'its input as JSON, or a command')
      .addOption(new Option('--door <door>', 'where the message came in').choices(doors))
      .option('--sender <id>', 'who wrote it: `id` or `channel:id`')
      .option('--unattended', 'nobody is there to be asked', false),
    [
      ['synthesis policy test notes Bash "git push"', 'a command'],
      ['synthesis policy test notes write \'{"path":"/etc/hosts"}\'', 'any other input'],
      [
        'synthesis policy test notes exec \'{"command":"date","env":{"TZ":"UTC"}}\'',
        'which rule covers which field',
      ],
    ],
  ).action((session, tool, input, options) =>
    exitWith(
      import('../commands/policy.ts').then(({ policyTest }) =>
        policyTest({ ...options, session, tool, input }),
      ),
    ),
  );
}

function addPolicyFuzz(parent: Command): void {
  withExamples(
    withJson(parent.command('fuzz'))
      .description('try your rules with 1,300 ways around them; exit code 7 when one would run unasked')
      .option('--session <session>', 'only what holds for the session with this key; it need not exist')
      .option('--all', 'list every call that would run unasked, and what each kind is', false),
    [
      ['synthesis policy fuzz', 'every rule that names a command, path or host'],
      ['synthesis policy fuzz --all | less', 'all that would run unasked'],
      ['synthesis policy fuzz --json | jq .unasked', 'how many'],
    ],
  ).action((options) =>
    exitWith(import('../commands/policy-fuzz.ts').then(({ policyFuzz }) => policyFuzz(options))),
  );
}
