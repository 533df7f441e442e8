// attach and logs: watching, and stepping in.
import type { Command } from 'commander';
import {
  type CommandTable,
  count,
  exitWith,
  named,
  sessionWords,
  stateOf,
  withBridge,
  withExamples,
  withJson,
} from './parts.ts';

export const watchCommands: CommandTable = { attach: addAttach, logs: addLogs };

function addAttach(root: Command): void {
  const command = withJson(withBridge(root.command('attach')))
    .description("watch and steer; with --terminal, join Claude's own screen")
    .argument('[session]', sessionWords, named)
    .option('--terminal', "Claude's own screen, read-only", false)
    .option('--drive', 'with --terminal: type there, too; one at a time may', false)
    .option('--detach-keys <keys>', 'keys that leave the screen (default: ctrl-p,ctrl-q)');
  withExamples(command, [
    ['synthesis attach', 'all sessions'],
    ['synthesis attach notes', 'this one first'],
    ['synthesis attach notes --terminal', 'looks at Claude Code itself; ctrl-p ctrl-q leaves'],
    ['synthesis attach notes --drive', 'types into it'],
    ['synthesis attach notes --drive --detach-keys ctrl-]', 'leaves with ctrl-]'],
    ['synthesis attach --json | jq .event', 'without a terminal: one line for each event from now on'],
  ]).action((session, options) =>
    exitWith(
      import('../commands/sessions/attach.ts').then(({ attach }) =>
        attach({ ...options, ...(session !== undefined && { session }), state: stateOf(options) }),
      ),
    ),
  );
}

function addLogs(root: Command): void {
  const command = withJson(withBridge(root.command('logs')))
    .description('show what happened: messages, answers, permissions, starts and ends; also without a bridge')
    .argument('[session]', `${sessionWords}; all when left out`, named)
    .option('-f, --follow', 'go on with what happens, until Ctrl-C', false)
    .option('--since <time>', 'only from then on, e.g. 10m, 2h, 2026-02-03T10:00:00Z')
    .option('-n, --tail <n>', 'only the last lines', count);
  withExamples(command, [
    ['synthesis logs notes --since 1h', 'what happened in the last hour'],
    ['synthesis logs -f --tail 20', 'the last 20 lines of all sessions, then what comes'],
    ['synthesis logs notes --json', 'every event with all its fields, one JSON object a line'],
  ]).action((session, options) =>
    exitWith(
      import('../commands/journal/logs.ts').then(({ logs }) =>
        logs({ ...options, ...(session !== undefined && { session }), state: stateOf(options) }),
      ),
    ),
  );
}
