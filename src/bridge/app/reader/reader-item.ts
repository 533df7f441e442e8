// What a reader of turns asks for, and what it is handed.
import type { Ask, ToolCall } from '../../../domain/state/session.ts';
import type { Hold, Turn } from '../../../domain/state/turn.ts';

export type ReaderItem =
  /** `first` = the first text of this turn that this reader hands out; `end` = where in the turn's answer it ends. */
  | { kind: 'text'; turn: Turn; text: string; end: number; first: boolean }
  | { kind: 'settled'; turn: Turn }
  /** Next to last: the bridge stops, and this turn goes on with its next start. */
  | { kind: 'kept'; turn: Turn }
  /** Next to last: it cannot be handed over before a person has done something, and goes out by itself then. */
  | { kind: 'held'; turn: Turn; hold: Hold }
  /** Next to last: the hub has to run these before Claude goes on. */
  | { kind: 'tool_calls'; turn: Turn; calls: ToolCall[] }
  /** These questions, which an earlier response asked, were answered through another door. */
  | { kind: 'outcome'; turn: Turn; asks: Ask[] }
  /** Next to last: a human has to answer before Claude goes on. */
  | { kind: 'question'; turn: Turn; asks: Ask[] }
  /** Next to last: the disk failed, and what was read may not be stored. */
  | { kind: 'not_kept'; turn: Turn; code: 'disk_failed' | 'machine_lost' }
  /** The last one. Whoever takes it sends what it has; what was read counts as handed out when it asks for more. */
  | { kind: 'end' };

export interface ReadOptions {
  key: string;
  /** The last turn to read; unread turns before it come first, unless an operator follows it. */
  target: string;
  /** Names the request: a repeat of it, under the same name, reads the same text again. */
  request: string;
  signal: AbortSignal;
  /** Turns whose last response never reached the client, whatever was believed then → where to read them from. */
  lost?: ReadonlyMap<string, number>;
  /** The client sends one request at a time: whoever else reads is a connection that died. */
  alone?: boolean;
  /** Calls of one message arrive one by one; this many milliseconds of quiet make them travel together. */
  quietMs: number;
  /** Resolves with true while another door asks this question where it can be answered: then no text has to. */
  isAskedElsewhere?(code: string): Promise<boolean>;
  /** False for readers that can neither run tools nor be asked (an operator's follow). */
  interactive: boolean;
  /** It is told when the bridge stops. Others are broken off: what they owe is handed out after the next start. */
  leaves?: boolean;
}

/** Longest text handed out at once, UTF-16 code units: what waits for a client that has not taken the last one. */
export const longestText = 32_768;
