// Lets work go on after a panic, with a running bridge or without one.
import type { ResumeResult } from '../../domain/views/control.ts';
import { panicView } from '../../domain/views/words/panic-words.ts';
import { CliError } from '../cli-error.ts';
import { callBridge } from '../client/control-client.ts';
import { everywhere, patience } from '../client/everywhere.ts';
import { exitCodes } from '../exit-codes.ts';
import { isAtTerminal, mayLift } from '../may-lift.ts';
import { printJson, say } from '../output/out.ts';
import { counted } from '../output/words/panic-lines.ts';
import { configFile } from '../paths.ts';

export interface ResumeOptions {
  state: string;
  /** Without asking once more. */
  yes: boolean;
  json: boolean;
}

export async function resume({ state, yes, json }: ResumeOptions): Promise<number> {
  const result = await lift(state, yes);
  if (!result) {
    say('Nothing was changed: everything is still stopped.');
    return exitCodes.failure;
  }
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

/** @returns undefined when whoever was asked said no */
async function lift(state: string, yes: boolean): Promise<ResumeResult | undefined> {
  try {
    if (
      !yes &&
      isAtTerminal() &&
      (await callBridge(state, 'bridge.status', {}, patience)).panic &&
      !(await isWanted())
    )
      return undefined;
    return await callBridge(state, 'bridge.resume', {}, patience);
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
  }
  const { heldPanic, liftPanic } = await import('../../bridge/panic-offline.ts');
  if (!heldPanic(state)) return { resumed: false, panic: null, waiting: 0 };
  await mayLift(state);
  if (!yes && !(await isWanted())) return undefined;
  const { proveOffline } = await import('../operator-proof/offline.ts');
  await proveOffline({ state, configFile: configFile(process.env), method: 'bridge.resume', params: {} });
  const record = liftPanic(state);
  return { resumed: record !== undefined, panic: record ? panicView(record) : null, waiting: 0 };
}

async function isWanted(): Promise<boolean> {
  const { Questions } = await import('../questions.ts');
  using questions = new Questions('Nothing was changed: everything is still stopped.');
  // Awaited here: the terminal is given back when this function is left.
  return await questions.yesNo('Let work go on', false);
}

function resumeLine({ resumed, panic: held, waiting }: ResumeResult): string {
  if (!resumed) return 'Nothing is stopped.';
  const since = held ? ` It was stopped since ${held.since.slice(0, 16).replace('T', ' ')} UTC.` : '';
  const waited =
    waiting === 0
      ? ''
      : ` ${counted(waiting, 'message that waited is', 'messages that waited are', 'handed over now.')}`;
  return `Work goes on.${since}${waited}`;
}
