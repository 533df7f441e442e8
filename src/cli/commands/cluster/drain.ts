import type { Drained } from '../../../domain/views/cluster.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { patienceMs } from './patience.ts';

export interface DrainOptions {
  state: string;
  timeout?: string;
  json: boolean;
}

/** @returns 7 when conversations are left */
export async function clusterDrain({ state, timeout, json }: DrainOptions): Promise<number> {
  const drained = await callBridge(state, 'cluster.drain', patienceMs(timeout));
  if (json) printJson(drained);
  else for (const line of drainLines(drained)) say(safeLine(line));
  return drained.left.length === 0 ? exitCodes.ok : exitCodes.degraded;
}

function drainLines({ moved, left }: Drained): string[] {
  const gone = moved.length === 1 ? '1 conversation has' : `${moved.length} conversations have`;
  const stay = left.length === 1 ? '1 stays' : `${left.length} stay`;
  return [
    ...moved.map(({ session, node }) => `${session} lives on ${node} now.`),
    ...left.map(({ session, words }) => `${session} stays: ${words.replace(/\.$/, '')}.`),
    `${gone} gone to other machines, ${stay}. None is begun there until that bridge is started again.`,
  ];
}
