// What is said of a session in a word or two, in every list.
import type { AgentRow, SessionRow } from '../../domain/views/session/session-row.ts';
import { asksNobody } from '../../domain/views/words/mode-words.ts';

/** Who or what has to move next, as far as its row tells. */
export function waitsFor({ state, asking: [code, ...more], queued, agents = [] }: SessionRow): string {
  if (code !== undefined) return more.length > 0 ? `you: ${more.length + 1} questions` : `you: ${code}`;
  if (state === 'dialog') return 'you: a dialog';
  if (state === 'stopping') return 'its end';
  if (state === 'starting') return 'its start';
  if (state === 'working') return 'Claude';
  if (queued > 0) return 'its start';
  return agents.length > 0 ? agentCount(agents.length) : '-';
}

const agentCount = (count: number): string => (count === 1 ? '1 agent' : `${count} agents`);

/** `idle, 2 agents at work`. A bridge of an older release tells of none. */
export const stateWords = ({ state, agents = [] }: SessionRow): string =>
  agents.length === 0 ? state : `${state}, ${agentCount(agents.length)} at work`;

/** `2 agents at work: tests 1m20s (Bash), docs 40s`; '' for none. */
export function agentsAtWork({ agents = [] }: SessionRow, now: number): string {
  if (agents.length === 0) return '';
  const each = agents.map((agent) => {
    const { name, since, doing } = agentWords(agent, now);
    return `${name} ${since}${doing === '' ? '' : ` (${doing})`}`;
  });
  return `${agentCount(agents.length)} at work: ${each.join(', ')}`;
}

/** @returns `doing` is '' where it is not known */
export const agentWords = (
  { title, since, doing }: AgentRow,
  now: number,
): { name: string; since: string; doing: string } => ({
  name: title ?? 'unnamed',
  since: duration(now - Date.parse(since)),
  doing: doing ?? '',
});

/** ` This ended 2 agents at work.`, to stand behind what was done; '' for none, and for a bridge of an older release. */
export const endedAgents = (count = 0, ended: 'ends' | 'ended' = 'ended'): string =>
  count === 0 ? '' : ` This ${ended} ${agentCount(count)} at work.`;

/** Codes of what works less well than it should. */
export const reasonsOf = ({ health }: SessionRow): string[] =>
  health.flatMap(({ code, info }) => (info ? [] : [code]));

export type Mood = 'good' | 'warn' | 'bad' | 'none';

/** How it is: why it failed, the first reason why something works less well than it should, or `ok`. */
export function healthOf(row: SessionRow): { text: string; mood: Mood } {
  if (row.failure !== null) return { text: row.failure, mood: 'bad' };
  const [first, ...more] = reasonsOf(row);
  if (first) return { text: more.length > 0 ? `${first} +${more.length}` : first, mood: 'warn' };
  if (asksNobody(row.permission_mode)) return { text: 'asks nobody', mood: 'warn' };
  return row.state === 'stopped' ? { text: '-', mood: 'none' } : { text: 'ok', mood: 'good' };
}

/** How text reaches Claude; `!` where something is not well. */
export function deliveryOf(row: SessionRow): string {
  const { mood } = healthOf(row);
  const how = row.delivery ?? (row.failure === null ? '-' : 'failed');
  return mood === 'warn' || mood === 'bad' ? `${how} !` : how;
}

/** `7s`, `3m12s`, `2h05m`: a duration that runs. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`;
}
