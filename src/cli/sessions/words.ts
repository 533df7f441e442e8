// What is said of a session in a word or two, in every list.
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { asksNobody } from '../../domain/views/words/mode-words.ts';

/** Who or what has to move next, as far as its row tells. */
export function waitsFor({ state, asking: [code, ...more], queued }: SessionRow): string {
  if (code !== undefined) return more.length > 0 ? `you: ${more.length + 1} questions` : `you: ${code}`;
  if (state === 'dialog') return 'you: a dialog';
  if (state === 'stopping') return 'its end';
  if (state === 'starting') return 'its start';
  if (state === 'working') return 'Claude';
  return queued > 0 ? 'its start' : '-';
}

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
