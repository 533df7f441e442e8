// What is known of a Claude Code that outlived the bridge before, from the journal of its session.
import { isDialog } from '../../domain/question/dialog-question.ts';
import { deliveringTurn, type Session, unsettledAsks } from '../../domain/state/session.ts';
import type { PermissionAnswer } from '../app/ports.ts';

export interface KnownResult {
  call: string;
  ok: boolean;
  content: string;
  envelope?: true;
}

/** A question that Claude Code asked, and that is not over. */
export interface KnownAsk {
  code: string;
  tool: string;
  toolUse?: string;
  /** Number of the hook that is held for it. */
  hook?: number;
  /** The agent that asks. */
  agent?: string;
  /** What was decided. */
  answer?: PermissionAnswer;
  /** Claude Code has the answer. */
  sent: boolean;
}

export interface KnownRun {
  /** What hooks up to this number said is known. */
  heard: number;
  /** As hooks told it last. */
  mode?: string;
  status?: Record<string, unknown>;
  /** The message that Claude may be about to begin with. */
  handed?: string;
  /** Turns on their way into the running one, with the hook that takes them along. */
  joining: readonly { turn: string; hook?: number }[];
  asks: readonly KnownAsk[];
  /** Codes of dialogs that are asked about. */
  dialogs: readonly string[];
  /** Codes of questions that are over. */
  askedBefore: readonly string[];
  /** Calls of tools that wait for their answer. */
  calls: readonly string[];
  /** Answers that may not have arrived. */
  results: readonly KnownResult[];
}

export function knownRun(session: Session, results: readonly KnownResult[]): KnownRun {
  const asks = unsettledAsks(session);
  const joining = session.turns.flatMap(({ id, phase }) =>
    phase.name === 'joining' && !phase.queued
      ? { turn: id, ...(phase.hook !== undefined && { hook: phase.hook }) }
      : [],
  );
  const delivering = deliveringTurn(session);
  const isHanded = delivering?.phase.name === 'delivering' && delivering.phase.handed;
  return {
    heard: session.heard ?? 0,
    ...(session.mode !== undefined && { mode: session.mode }),
    ...(session.status && { status: session.status }),
    ...(isHanded && { handed: delivering.id }),
    joining,
    asks: asks.filter((ask) => ask.call === undefined && !isDialog(ask)).map(knownAsk),
    dialogs: asks.filter(isDialog).map(({ code }) => code),
    askedBefore: session.asks.flatMap(({ code, state }) => (state.name === 'settled' ? [code] : [])),
    calls: [...session.calls.map(({ call }) => call), ...asks.flatMap(({ call }) => call ?? [])],
    results,
  };
}

function knownAsk({ code, tool, toolUse, hook, agent, state }: Session['asks'][number]): KnownAsk {
  const about = {
    code,
    tool,
    ...(toolUse !== undefined && { toolUse }),
    ...(hook !== undefined && { hook }),
    ...(agent && { agent: agent.id }),
  };
  if (state.name !== 'decided' && state.name !== 'sent') return { ...about, sent: false };
  const { verdict, by, reason, scope = 'once' } = state;
  const answer: PermissionAnswer = { code, verdict, by, scope, ...(reason !== undefined && { reason }) };
  return { ...about, answer, sent: state.name === 'sent' };
}
