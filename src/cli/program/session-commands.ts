// ps, send, stop, …: one session at a time.
import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { inspect } from '../commands/sessions/inspect.ts';
import { ps } from '../commands/sessions/ps.ts';
import { rm } from '../commands/sessions/rm.ts';
import { sessionAction } from '../commands/sessions/session-actions.ts';
import { wait } from '../commands/sessions/wait.ts';
import { readAll } from '../read-all.ts';
import {
  type CommandTable,
  everyNamed,
  exitWith,
  named,
  sessionWords,
  stateOf,
  withBridge,
  withExamples,
  withJson,
} from './parts.ts';

export const sessionCommands: CommandTable = {
  ps: addPs,
  inspect: addInspect,
  send: addSend,
  wait: addWait,
  rename: addRename,
  stop: (root) => addAction(root, 'stop'),
  restart: (root) => addAction(root, 'restart'),
  interrupt: (root) => addAction(root, 'interrupt'),
  rm: addRm,
};

function addPs(root: Command): void {
  const command = withJson(withBridge(root.command('ps')))
    .description('list the sessions')
    .option('-a, --all', 'also those not used for a day', false)
    .option('-q, --quiet', 'ids only', false)
    .option('--cost', 'with what Claude Code says they would cost, and the tokens in its context', false)
    .option('--check', 'exit with 7 when a session is degraded', false);
  withExamples(command, [
    ['synthesis ps', 'what runs, waits, and how it is'],
    ['synthesis ps -aq | xargs synthesis rm', 'removes every session, with its text'],
    ['synthesis ps --json | jq \'.[] | select(.state == "asking")\'', 'what waits for you'],
    ['synthesis ps --check', 'for monitors: exit code 7 when something is degraded'],
  ]).action((options) => exitWith(ps({ ...options, state: stateOf(options) })));
}

function addInspect(root: Command): void {
  const command = withJson(withBridge(root.command('inspect')))
    .description('show everything about one session: its last turns, its questions, its screen')
    .argument('<session>', sessionWords, named);
  withExamples(command, [
    ['synthesis inspect 3f9a', 'by the beginning of its id'],
    ['synthesis inspect agent:main --json | jq -r .screen[]', "what Claude's terminal shows now"],
  ]).action((session, options) =>
    exitWith(inspect({ session, json: options.json, state: stateOf(options) })),
  );
}

function addSend(root: Command): void {
  const command = withJson(withBridge(root.command('send')))
    .description('send a message and show the answer as it is written')
    .argument('<session>', sessionWords, named)
    .argument('<text>', 'the message; - reads it from standard input')
    .option('--create', 'open the session when it does not exist', false)
    .option('--no-wait', 'return when the message is stored');
  withExamples(command, [
    ['synthesis send notes "what is open?"', 'shows the answer; what Claude asks is answered there: y or n'],
    ['synthesis send --create ops "hello"', 'opens a session called ops'],
    ['git diff | synthesis send review -', 'the message from standard input'],
    ['synthesis send notes "tidy up" --no-wait', 'returns at once; later: synthesis wait notes'],
  ]).action((session, text, options) => exitWith(runSend(session, text, options)));
}

async function runSend(
  session: string,
  text: string,
  options: { create: boolean; wait: boolean; json: boolean; stateDir?: string },
): Promise<number> {
  const message = text === '-' ? await readAll(process.stdin) : text;
  if (message.trim() === '') {
    throw new CliError(
      'usage',
      'empty_message',
      'The message is empty.',
      'Give it some text; nothing was sent.',
    );
  }
  const { send } = await import('../commands/sessions/send.ts');
  return send({ ...options, state: stateOf(options), session, text: message });
}

function addWait(root: Command): void {
  const command = withJson(withBridge(root.command('wait')))
    .description('wait until nothing runs or waits in sessions')
    .argument('<session...>', `${sessionWords}; until all of them are idle`, everyNamed)
    .option('--any', 'until the first of them is idle, and print which', false)
    .option('--timeout <time>', 'give up after this long, e.g. 30, 90s, 10m: exit code 3');
  withExamples(command, [
    ['synthesis wait notes && notify-send done', 'tells you when Claude is done'],
    ['synthesis wait notes --timeout 5m', 'exit code 3 when it is still busy then'],
    ['synthesis wait $(synthesis ps -q)', 'for all that `ps` lists; without a name it waits for none'],
    ['synthesis inspect "$(synthesis wait --any notes ops)"', 'the one that is done first'],
  ]).action((sessions, options) => exitWith(wait({ ...options, sessions, state: stateOf(options) })));
}

function addRename(root: Command): void {
  const command = withJson(withBridge(root.command('rename')))
    .description('give a session a name of your own, which every list shows and every command takes')
    .argument('<session>', sessionWords, named)
    .argument('[name]', 'one line of at most 40 characters')
    .option('--clear', 'take its name away', false);
  withExamples(command, [
    ['synthesis rename 3f9a release', 'by the beginning of its id; then: synthesis send release "…"'],
    ['synthesis rename release --clear', 'its id and its key are as before'],
  ]).action((session, name, options) =>
    exitWith(
      import('../commands/sessions/rename.ts').then(({ rename }) =>
        rename({ ...options, session, name, state: stateOf(options) }),
      ),
    ),
  );
}

const actions = {
  stop: {
    method: 'session.stop',
    description: 'end the Claude Code of a session; its conversation is kept',
    example: ['synthesis stop notes', 'the next message resumes it'],
  },
  restart: {
    method: 'session.restart',
    description: 'end the Claude Code of a session, if it runs, and start it on the same conversation',
    example: [
      'synthesis restart notes',
      'takes over all that the running bridge is configured with; answers when it is ready',
    ],
  },
  interrupt: {
    method: 'session.interrupt',
    description: 'interrupt what Claude Code is doing',
    example: ['synthesis interrupt notes', 'as Esc in its terminal'],
  },
} as const;

function addRm(root: Command): void {
  const command = withJson(withBridge(root.command('rm')))
    .description('remove sessions and delete their text, for good')
    .argument('<session...>', 'whole names, keys or ids, as `ps` shows them', everyNamed)
    .option('--keep', 'keep its text in the journal and the archive', false);
  withExamples(command, [
    ['synthesis rm notes', 'nothing of it is found any more'],
    ['synthesis rm --keep notes', 'logs and audit still show it'],
  ]).action((sessions, options) => exitWith(rm({ ...options, sessions, state: stateOf(options) })));
}

function addAction(root: Command, name: keyof typeof actions): void {
  const { method, description, example } = actions[name];
  const command = withJson(withBridge(root.command(name)))
    .description(description)
    .argument('<session...>', `${sessionWords}; several are found before anything is done`, everyNamed);
  if (name !== 'interrupt')
    command.option('-y, --yes', 'do not ask whether a session that is not named whole is meant', false);
  withExamples(command, [example]).action((sessions, options) =>
    exitWith(sessionAction(method, { yes: true, ...options, sessions, state: stateOf(options) })),
  );
}
