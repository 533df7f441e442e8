// What is said of a session in a word or two.
import { currentTurn, type Session } from '../../domain/session.ts';
import { asksNobody } from '../../domain/views/mode-words.ts';
import type { SessionRow } from '../../domain/views/session-row.ts';
import { type SessionView, turnsOf } from '../../domain/views/session-view.ts';
import type { Tone } from './text/line.ts';

export const stateTone: Record<SessionRow['state'], Tone> = {
  idle: 'good',
  working: 'busy',
  asking: 'warn',
  dialog: 'warn',
  starting: 'busy',
  stopping: 'dim',
  stopped: 'dim',
};

export const stateMark: Record<SessionRow['state'], string> = {
  idle: '●',
  working: '◆',
  asking: '▲',
  dialog: '▲',
  starting: '◇',
  stopping: '◇',
  stopped: '○',
};

/** Where its people are: the channel and who wrote last. */
export function chatOf(view: SessionView, row: SessionRow): string {
  const turn = turnsOf(view).findLast(({ adopted, ingress }) => !adopted && ingress !== 'operator');
  const { source_channel: channel, chat_type: type } = turn?.meta ?? {};
  const name = turn?.sender?.name ?? turn?.sender?.id;
  const place = channel ?? row.ingress ?? '-';
  if (type === 'group') return `${place} group`;
  return name === undefined ? place : `${place} ${name}`;
}

/** Who or what has to move next. */
export function waitsFor({ session }: SessionView, row: SessionRow): string {
  const [code, ...more] = row.asking;
  if (code !== undefined) return more.length > 0 ? `you: ${row.asking.length} questions` : `you: ${code}`;
  const { agent } = session;
  if (agent.name === 'dialog') return `you: ${agent.dialog} dialog`;
  if (agent.name === 'stopping') return 'its end';
  const turn = currentTurn(session);
  if (agent.name === 'starting') return 'its start';
  if (!turn) return row.queued > 0 ? 'its start' : '-';
  if (turn.cancelledBy !== undefined) return 'Claude to stop';
  if (turn.phase.name === 'delivering') return 'delivery';
  return toolOf(session, turn.id) ?? 'Claude';
}

const toolOf = ({ calls }: Session, turn: string): string | undefined => {
  const call = calls.find((each) => each.turn === undefined || each.turn === turn);
  return call && `tool ${call.tool}${call.progress === undefined ? '' : `: ${call.progress}`}`;
};

/** Where nobody is asked, that is shown as something to know of. */
export const modeTone = (mode: string | null): Tone =>
  mode === null ? 'dim' : asksNobody(mode) ? 'warn' : 'plain';

export function healthOf(row: SessionRow): { text: string; tone: Tone } {
  if (row.failure !== null) return { text: row.failure, tone: 'bad' };
  const [first, ...more] = row.health.filter((each) => !each.info);
  if (!first && asksNobody(row.permission_mode)) return { text: 'asks nobody', tone: 'warn' };
  if (!first)
    return { text: row.state === 'stopped' ? '-' : 'ok', tone: row.state === 'stopped' ? 'dim' : 'good' };
  return { text: more.length > 0 ? `${first.code} +${more.length}` : first.code, tone: 'warn' };
}

/** `7s`, `3m12s`, `2h05m`: a duration that runs. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`;
}

export const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 8);
