import type { Session } from './session.ts';
import { holdOf, isRunning, type Turn } from './turn.ts';

/**
 * What may not be, in words: the conversation would stand still. Nothing is known to lead there, so whoever finds it can
 * only start afresh.
 *
 * @returns undefined for a session as it has to be, and for one whose Claude Code is being ended
 */
export function brokenInvariant({ turns, agent, move }: Session): string | undefined {
  if (agent.name === 'stopping') return undefined;
  let running: Turn | undefined;
  let queued: Turn | undefined;
  let onItsWay = 0;
  /** The oldest message in line. */
  let first: Turn | undefined;
  for (const turn of turns) {
    const { phase } = turn;
    if (isRunning(turn)) {
      if (running) return `two turns run, ${running.id} and ${turn.id}`;
      running = turn;
    } else if (phase.name === 'delivering') onItsWay += 1;
    else if (phase.name === 'joining' && phase.queued) {
      onItsWay += 1;
      queued = turn;
    } else if (phase.name === 'queued') first ??= turn;
  }
  if (onItsWay > 1) return 'two messages are on their way to Claude Code';
  if (agent.name === 'stopped' && (running ?? queued))
    return `turn ${(running ?? queued)?.id} runs although Claude Code does not`;
  const lost = turns.find(
    ({ phase }) => phase.name === 'joining' && !phase.queued && phase.into !== running?.id,
  );
  if (lost) return `message ${lost.id} is on its way into a turn that does not run`;
  const waits = first && !holdOf(first);
  if (waits && !running && onItsWay === 0 && !move) return 'a message waits for nothing';
  return undefined;
}
