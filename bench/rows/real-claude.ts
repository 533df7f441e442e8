// What one real session costs. No goal: it is Claude Code's own, and tells how many sessions a machine can hold.

import { execa } from 'execa';
import { claudePath } from '../../test/real/support/peers.ts';
import { claudePids } from '../../test/real/support/processes.ts';
import { World } from '../../test/real/support/world.ts';
import type { Line } from '../harness/program.ts';

export interface RealClaude {
  words: string;
  /** Milliseconds from its start until Claude Code takes a prompt. */
  startMs?: number;
  /** Resident memory, bytes: Claude Code, and the channel server that it starts. */
  claudeBytes?: number;
  channelBytes?: number;
}

export async function realClaude(): Promise<RealClaude> {
  try {
    claudePath();
  } catch {
    return {
      words: 'Real Claude Code: not installed. "node scripts/install-real-peers.ts" installs it for this.',
    };
  }
  try {
    return await measure();
  } catch (error) {
    return {
      words: `Real Claude Code could not be measured: ${error instanceof Error ? error.message : error}`,
    };
  }
}

async function measure(): Promise<RealClaude> {
  await using world = await World.start('bench');
  await world.bridge.ask('bench', 'Say one line.');
  const startMs = atOf(world.bridge.log, 'agent.ready') - atOf(world.bridge.log, 'agent.starting');
  const session = world.api.turns.at(-1)?.session ?? '';
  const [pid] = await claudePids(session);
  if (pid === undefined) throw new Error('its process was not found');
  const claudeBytes = await residentBytes(['-p', String(pid)]);
  const channelBytes = await residentBytes(['--ppid', String(pid)]);
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  return {
    words: `Real Claude Code: ready for its first prompt after ${startMs} ms; ${mib(claudeBytes)} resident, and ${mib(channelBytes)} for its channel server.`,
    startMs,
    claudeBytes,
    channelBytes,
  };
}

/** When the bridge said `event`, epoch milliseconds. */
function atOf(log: string, event: string): number {
  const lines = log.split('\n').filter((line) => line.startsWith('{"event"'));
  const line = lines.map((text) => JSON.parse(text) as Line).find((each) => each.event === event);
  return Date.parse(String(line?.at));
}

/** Sum over the processes that `ps` selects. */
async function residentBytes(select: string[]): Promise<number> {
  const { stdout } = await execa('ps', ['-o', 'rss=', ...select]);
  return stdout.split('\n').reduce((sum, line) => sum + Number(line) * 1024, 0);
}
