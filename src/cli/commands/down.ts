import type { ControlMethods } from '../../domain/views/control.ts';
import { goOnWords } from '../../domain/views/words/claude-words.ts';
import { CliError } from '../cli-error.ts';
import { bridgeEnded } from '../client/bridge-ended.ts';
import { callBridge, chosenNode, readBridgeFile } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { say } from '../output/out.ts';
import { endedAgents } from '../sessions/words.ts';

export interface DownOptions {
  state: string;
  /** Claude Codes go on for the next bridge. */
  keep: boolean;
}

export async function down({ state, keep }: DownOptions): Promise<number> {
  const pid = readBridgeFile(state)?.pid;
  let stopped: ControlMethods['bridge.stop']['result'];
  try {
    stopped = await callBridge(state, 'bridge.stop', { keep }, { timeoutMs: 10_000 });
  } catch (error) {
    if (keep || !(error instanceof CliError) || error.exit !== 'not_running') throw error;
    return withoutBridge(state, error);
  }
  await bridgeEnded(pid);
  const goesOn = keep ? goOnWords(stopped.live) : '';
  const next = goesOn || '`synthesis up` goes on with them.';
  const left = keep ? '' : await endLeft(state);
  say(`The bridge has stopped. Conversations are kept; ${next}${endedAgents(stopped.agents)}${left}`);
  return exitCodes.ok;
}

/** Claude Codes that the bridge had lost, or knew nothing of. The bridge of another node, or the next one, keeps its own. */
async function endLeft(state: string): Promise<string> {
  if (chosenNode() !== undefined || readBridgeFile(state) !== undefined) return '';
  const { endHosts } = await import('../../bridge/hosts-offline.ts');
  const left = await endHosts(state);
  if (left === 0) return '';
  return ` ${left} Claude Code ${left === 1 ? 'process' : 'processes'} that it did not have any more ${left === 1 ? 'was' : 'were'} ended, too.`;
}

/** A bridge that was killed has left its Claude Codes to the next one. @throws CliError when there is none */
async function withoutBridge(state: string, notRunning: CliError): Promise<number> {
  const { endHosts } = await import('../../bridge/hosts-offline.ts');
  const ended = await endHosts(state);
  if (ended === 0) throw notRunning;
  const whose =
    ended === 1 ? 'The Claude Code that had outlived it' : `${ended} Claude Codes that had outlived it`;
  say(`No bridge was running. ${whose} ${ended === 1 ? 'was' : 'were'} ended; conversations are kept.`);
  return exitCodes.ok;
}
