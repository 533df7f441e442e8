// Stops everything, with a running bridge or without one.
import type { EndedAll, PanicResult } from '../../domain/views/control.ts';
import { panicView } from '../../domain/views/words/panic-words.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import { CliError } from '../cli-error.ts';
import { callBridge, chosenNode, readBridgeFile } from '../client/control-client.ts';
import { everywhere, patience } from '../client/everywhere.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, say } from '../output/out.ts';
import { aliveLines, endedLine, type PanicDone, panicLines } from '../output/words/panic-lines.ts';

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
    json
      ? undefined
      : (node, { alive }) => [`Everything is stopped on ${node}, too.`, ...aliveLines(alive ?? [])].join(' '),
  );
  if (json) printJson({ ...result, ...(nodes && { nodes }) });
  const isDone = nodes?.every((each) => 'value' in each && isComplete(each.value)) ?? true;
  return isComplete(result) && isDone ? exitCodes.ok : exitCodes.failure;
}

/** A node of an older release ends nothing at once, and says nothing of it. */
const isComplete = ({ kept, alive }: Pick<PanicResult, 'kept'> & Partial<PanicResult>): boolean =>
  kept && (alive ?? []).length === 0;

/** Silence of a bridge after which all is ended without it, ms. It may answer later. */
const silentMs = 3_000;

/** @returns undefined when no bridge runs */
async function ask(state: string, reason: string | undefined): Promise<PanicDone | undefined> {
  const params = reason === undefined ? {} : { reason };
  // Another machine's cannot be reached without it.
  using late = chosenNode() === undefined ? new EndsLate(state, reason) : undefined;
  try {
    return { ...(await callBridge(state, 'bridge.panic', params, patience)), running: true };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // It has ended, or ends just now.
    if (error.code === 'not_running' || (error.code === 'hung_up' && late)) return undefined;
    if (error.exit === 'timeout' && late) throw unheard(state, await late.now());
    throw error;
  }
}

/** Does what can be done without a bridge once that has been silent for a while. */
class EndsLate implements Disposable {
  readonly #timer: NodeJS.Timeout;
  readonly #end: () => Promise<EndedAll>;
  #ended: Promise<EndedAll> | undefined;

  constructor(state: string, reason: string | undefined) {
    this.#end = async () => {
      const { endAllOffline, layDownPanic } = await import('../../bridge/panic-offline.ts');
      layDownPanic(state, recordOf(reason));
      return endAllOffline(state);
    };
    this.#timer = setTimeout(() => this.now().catch(() => {}), silentMs);
  }

  now(): Promise<EndedAll> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** The bridge is there and does not answer: what can be done without it was done. */
function unheard(state: string, { ended, alive }: EndedAll): CliError {
  const pid = readBridgeFile(state)?.pid;
  const done = [endedLine(ended) || 'No Claude Code was found.', ...aliveLines(alive)].join(' ');
  return new CliError(
    'timeout',
    'timeout',
    `The bridge did not answer within ${patience.timeoutMs / 1000} s. ${done} Its next start holds everything back.`,
    `End the bridge with \`kill -9 ${pid ?? '<pid>'}\`, so that it starts nothing when it wakes.`,
  );
}

async function layDown(state: string, reason: string | undefined): Promise<PanicDone> {
  const { endAllOffline, layDownPanic } = await import('../../bridge/panic-offline.ts');
  const { record, already } = layDownPanic(state, recordOf(reason));
  // One that was just starting may have looked before: it is asked, too.
  const late = await ask(state, reason);
  if (late) return late;
  const none = { interrupted: 0, denied: 0, dropped: 0, waiting: 0 };
  const ended = await endAllOffline(state);
  return { ...panicView(record), already, kept: true, ...none, ...ended, running: false };
}

const recordOf = (reason: string | undefined): PanicRecord => ({
  since: Date.now(),
  by: 'the operator, at the command line',
  ...(reason !== undefined && { reason }),
});
