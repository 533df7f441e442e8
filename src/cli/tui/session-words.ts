// What is said of a session in a word or two.
import { currentTurn, type Session } from '../../domain/state/session.ts';
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { type SessionView, turnsOf } from '../../domain/views/session/session-view.ts';
import { asksNobody } from '../../domain/views/words/mode-words.ts';
import type { Mood } from '../sessions/words.ts';
import * as words from '../sessions/words.ts';
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

/** Who or what has to move next: more of it than the row tells. */
export function waitsFor({ session }: SessionView, row: SessionRow): string {
  const { agent } = session;
  const turn = currentTurn(session);
  if (row.asking.length > 0) return words.waitsFor(row);
  if (agent.name === 'dialog') return `you: ${agent.dialog} dialog`;
  if (agent.name !== 'ready' || !turn) return words.waitsFor(row);
  if (turn.cancelledBy !== undefined) return 'Claude to stop';
  if (turn.phase.name === 'delivering') return 'delivery';
  return toolOf(session, turn.id) ?? words.waitsFor(row);
}

const toolOf = ({ calls }: Session, turn: string): string | undefined => {
  const call = calls.find((each) => each.turn === undefined || each.turn === turn);
  return call && `tool ${call.tool}${call.progress === undefined ? '' : `: ${call.progress}`}`;
};

/** Where nobody is asked, that is shown as something to know of. */
export const modeTone = (mode: string | null): Tone =>
  mode === null ? 'dim' : asksNobody(mode) ? 'warn' : 'plain';

export const moodTone: Record<Mood, Tone> = { good: 'good', warn: 'warn', bad: 'bad', none: 'dim' };

export const timeOfDay = (at: number): string => new Date(at).toTimeString().slice(0, 8);
