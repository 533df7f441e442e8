// Stops everything, with a running bridge or without one, and lets it go on.
import type { PanicResult, ResumeResult } from '../../domain/views/control.ts';
import { panicView, panicWords, resumeHint } from '../../domain/views/words/panic-words.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import { CliError } from '../cli-error.ts';
import { callBridge, chosenNode, readBridgeFile } from '../client/control-client.ts';
import type { NodeAnswer } from '../client/other-nodes.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import { isOneOfMany } from '../client/with-others.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';

/** Nobody waits longer in the dark for a bridge that hangs, ms. */
const patience = { timeoutMs: 10_000 };

export interface PanicOptions {
  state: string;
  reason?: string;
  json: boolean;
}

export async function panic(options: PanicOptions): Promise<number> {
  const { state, reason, json } = options;
  const result = (await ask(state, reason)) ?? (await layDown(state, reason));
  if (!json) for (const line of panicLines(result)) say(line);
  const params = reason === undefined ? {} : { reason };
  const nodes = await everywhere(
    state,
    (bridge) => bridge.call('bridge.panic', params, patience),
    json ? undefined : (node) => `Everything is stopped on ${node}, too.`,
  );
  if (json) printJson({ ...result, ...(nodes && { nodes }) });
  const isKept = nodes?.every((each) => 'value' in each && each.value.kept) ?? true;
  return result.kept && isKept ? exitCodes.ok : exitCodes.failure;
}

/**
 * What holds on this machine is to hold on every other one of its cluster.
 * @param words what is said of one that was told; undefined to say nothing
 * @returns undefined where there is no cluster
 */
async function everywhere<T>(
  state: string,
  ask: (bridge: RpcConnection) => Promise<T>,
  words: ((node: string, value: T) => string) | undefined,
): Promise<NodeAnswer<T>[] | undefined> {
  if (!isOneOfMany(state)) return undefined;
  const { askOtherNodes } = await import('../client/other-nodes.ts');
  const answers = await askOtherNodes(state, ask).then(
    (asked) => asked.answers,
    (error: unknown): NodeAnswer<T>[] => {
      // What was done here is said in any case.
      if (!(error instanceof CliError)) throw error;
      return [{ node: '*', words: error.message }];
    },
  );
  if (words)
    for (const each of answers) {
      const untold = each.node === '*' ? 'Other nodes may not have been told.' : `${each.node} was not told.`;
      say(safeLine('value' in each ? words(each.node, each.value) : `${untold} ${each.words}`));
    }
  return answers;
}

export async function resume({ state, json }: { state: string; json: boolean }): Promise<number> {
  const result = await lift(state);
  if (!json) say(resumeLine(result));
  const nodes = await everywhere(
    state,
    (bridge) => bridge.call('bridge.resume', {}, patience),
    json
      ? undefined
      : (node, { resumed }) => (resumed ? `Work goes on on ${node}, too.` : `Nothing is stopped on ${node}.`),
  );
  if (json) printJson({ ...result, ...(nodes && { nodes }) });
  return nodes?.some((each) => 'words' in each) ? exitCodes.failure : exitCodes.ok;
}

type Result = PanicResult & {
  /** False: it holds for the next start. */
  running: boolean;
  /** Claude Codes that had outlived their bridge, and were ended. */
  ended?: number;
};

/** @returns undefined when no bridge runs */
async function ask(state: string, reason: string | undefined): Promise<Result | undefined> {
  const params = reason === undefined ? {} : { reason };
  try {
    return { ...(await callBridge(state, 'bridge.panic', params, patience)), running: true };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // It has ended, or ends just now.
    if (error.code === 'not_running' || (error.code === 'hung_up' && chosenNode() === undefined))
      return undefined;
    if (error.exit === 'timeout' && chosenNode() === undefined) throw await unheard(state, reason);
    throw error;
  }
}

/** The bridge is there and does not answer: what can be done without it is done. */
async function unheard(state: string, reason: string | undefined): Promise<CliError> {
  const { layDownPanic } = await import('../../bridge/panic-offline.ts');
  layDownPanic(state, recordOf(reason));
  const { endHosts } = await import('../../bridge/hosts-offline.ts');
  const ended = counted(await endHosts(state), 'Claude Code was', 'Claude Codes were', 'ended');
  const pid = readBridgeFile(state)?.pid;
  return new CliError(
    'timeout',
    'timeout',
    `The bridge did not answer within ${patience.timeoutMs / 1000} s. ${ended || 'No Claude Code was found'}, and its next start holds everything back.`,
    `End the bridge with \`kill -9 ${pid ?? '<pid>'}\`, so that it starts nothing when it wakes.`,
  );
}

async function layDown(state: string, reason: string | undefined): Promise<Result> {
  const { layDownPanic } = await import('../../bridge/panic-offline.ts');
  const { record, already } = layDownPanic(state, recordOf(reason));
  // One that was just starting may have looked before: it is asked, too.
  const late = await ask(state, reason);
  if (late) return late;
  const { endHosts } = await import('../../bridge/hosts-offline.ts');
  const none = { interrupted: 0, denied: 0, dropped: 0, waiting: 0 };
  const ended = await endHosts(state);
  return { ...panicView(record), already, kept: true, ...none, ended, running: false };
}

async function lift(state: string): Promise<ResumeResult> {
  try {
    return await callBridge(state, 'bridge.resume', {}, patience);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
  }
  const { liftPanic } = await import('../../bridge/panic-offline.ts');
  const record = liftPanic(state);
  return { resumed: record !== undefined, panic: record ? panicView(record) : null, waiting: 0 };
}

const recordOf = (reason: string | undefined): PanicRecord => ({
  since: Date.now(),
  by: 'the operator, at the command line',
  ...(reason !== undefined && { reason }),
});

function panicLines(result: Result): string[] {
  const { already, running, kept, interrupted, denied, dropped, waiting, ended = 0 } = result;
  const counts = [
    counted(interrupted, 'answer is', 'answers are', 'being interrupted'),
    counted(denied, 'question was', 'questions were', 'denied'),
    counted(dropped, 'tool call was', 'tool calls were', 'dropped'),
    counted(waiting, 'message waits', 'messages wait', ''),
    counted(
      ended,
      'Claude Code that had outlived its bridge was',
      'Claude Codes that had outlived their bridge were',
      'ended',
    ),
  ].filter((each) => each !== '');
  return [
    already ? `${panicWords(result)} Nothing has gone on since.` : 'Everything is stopped.',
    ...(running ? [] : ['No bridge is running; the next `synthesis up` starts with everything stopped.']),
    ...(counts.length > 0 ? [`${counts.join(', ')}.`] : []),
    ...(kept
      ? []
      : [
          'The disk refused to keep it: a restart of the bridge would let work go on. Make room, and run `synthesis panic` again.',
        ]),
    `New messages are refused in words. ${resumeHint}`,
  ];
}

const counted = (count: number, one: string, more: string, what: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : more} ${what}`.trim();

function resumeLine({ resumed, panic: held, waiting }: ResumeResult): string {
  if (!resumed) return 'Nothing is stopped.';
  const since = held ? ` It was stopped since ${held.since.slice(0, 16).replace('T', ' ')} UTC.` : '';
  const waited =
    waiting === 0
      ? ''
      : ` ${counted(waiting, 'message that waited is', 'messages that waited are', 'handed over now.')}`;
  return `Work goes on.${since}${waited}`;
}
