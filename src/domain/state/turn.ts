// One message of a conversation, or what Claude began by itself, and what became of it.
import type { OriginKind, Sender } from '../../protocol/events/events.ts';
import type { FailureCode } from '../../protocol/events/failures.ts';
import type { Ingress } from '../../protocol/ingress.ts';
import type { Quote } from '../../protocol/quote.ts';
import type { Answer } from './answer.ts';

export interface Hold {
  code: FailureCode;
  /** What was seen, in words: the dialog with the end of its screen, the setting with its file. */
  detail: string;
}

/** queued → delivering → running → settled. Waits are data on a running turn, not phases. */
export type TurnPhase =
  /** `held`: it could not be handed over, for this reason, and nothing is tried before `agent.open`. */
  | { name: 'queued'; held?: Hold }
  /** `handed`: Claude may have seen it. */
  | { name: 'delivering'; attempt: number; handed?: true }
  /**
   * On its way into the turn that runs, whose answer it becomes part of. `hook` is held for it. `queued`: Claude Code has
   * it in a queue of its own, and runs it in that turn or behind it.
   */
  | { name: 'joining'; into: string; hook?: number; queued?: true }
  | RunningPhase
  | {
      name: 'settled';
      outcome: 'completed' | 'failed' | 'cancelled' | 'expired';
      code?: FailureCode;
      detail?: string;
      /** The turn in which Claude got it. */
      into?: string;
      /** As it had them while it ran: what comes late is told from another turn. */
      prompt?: string;
      earlier?: readonly string[];
    };

export interface RunningPhase {
  name: 'running';
  /** The newest of its prompts, the only one that Claude Code names from then on. */
  prompt?: string;
  /** Prompts that are one turn with it, because Claude Code took them together. */
  earlier?: readonly string[];
  /** Claude Code itself began it, with the end of a task, and has not said anything yet: further ends join it. */
  told?: true;
  /** Stop came. More may: the rest of `last`, its last message, or whatever another Stop hook makes Claude do. */
  rested?: { last?: string };
}

export interface Turn {
  id: string;
  ingress: Ingress;
  text: string;
  sender?: Sender;
  dedup?: string;
  /** Hashes of the messages it was made of, where `text` is not one of them as it came. */
  parts?: readonly string[];
  /** What came with it and is not its writer's own. */
  quotes?: readonly Quote[];
  meta: Record<string, string>;
  /** Claude is to get it in the turn it is at, if that is possible. */
  steer?: true;
  /** `traceparent` of its request. */
  trace?: string;
  /** Nobody asked for it: typed in the terminal, or begun by Claude itself. */
  adopted: boolean;
  /** Claude began it by itself; `ingress`, `sender` and `meta` are those of the turn that made it do so. */
  origin?: OriginKind;
  /** Wall clock when it was accepted, epoch ms. */
  acceptedAt: number;
  phase: TurnPhase;
  /** Once it is settled: grows with each turn that ends. */
  ended?: number;
  /** It was held once: whoever read it then was told that it waits, and does not come back for its answer. */
  waited?: true;
  cancelledBy?: string;
  /** It was cancelled because everything was stopped then, epoch ms. */
  panic?: number;
  answer: Answer;
  /** Text before this offset was handed out in responses that ended well; the next request reads from here. */
  handed: number;
  /** A reader got everything. */
  answered: boolean;
  /** Where each request that was answered started to read: a repeat of it gets the same text again. */
  reads: readonly { request: string; start: number }[];
}

export const isSettled = (turn: Turn): boolean => turn.phase.name === 'settled';

/** Why it waits although nothing is before it. */
export const holdOf = ({ phase }: Turn): Hold | undefined =>
  phase.name === 'queued' ? phase.held : undefined;

export type RunningTurn = Turn & { phase: RunningPhase };

export const isRunning = (turn: Turn): turn is RunningTurn => turn.phase.name === 'running';
