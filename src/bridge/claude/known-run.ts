// What is known of a Claude Code that outlived the bridge before, from the journal of its session.
import { currentTurn, type Session, unsettledAsks } from '../../domain/state/session.ts';
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
  /** The turn that runs, or that Claude may be about to begin. */
  turn?: { id: string; phase: 'running'; prompt?: string } | { id: string; phase: 'handed' };
  /** Prompts whose turns are over. */
  ended: readonly string[];
  /** Turns on their way into the running one, with the hook that takes them along. */
  joining: readonly { turn: string; hook?: number }[];
  asks: readonly KnownAsk[];
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
    phase.name === 'joining' ? { turn: id, ...(phase.hook !== undefined && { hook: phase.hook }) } : [],
  );
  const turn = knownTurn(session);
  return {
    heard: session.heard ?? 0,
    ...(session.mode !== undefined && { mode: session.mode }),
    ...(session.status && { status: session.status }),
    ...(turn && { turn }),
    ended: session.turns.flatMap(({ phase }) => (phase.name === 'settled' && phase.prompt) || []),
    joining,
    asks: asks.filter(({ call }) => call === undefined).map(knownAsk),
    askedBefore: session.asks.flatMap(({ code, state }) => (state.name === 'settled' ? [code] : [])),
    calls: [...session.calls.map(({ call }) => call), ...asks.flatMap(({ call }) => call ?? [])],
    results,
  };
}

function knownTurn(session: Session): KnownRun['turn'] {
  const turn = currentTurn(session);
  if (turn?.phase.name === 'running') {
    const { prompt } = turn.phase;
    return { id: turn.id, phase: 'running', ...(prompt !== undefined && { prompt }) };
  }
  const isHanded = turn?.phase.name === 'delivering' && turn.phase.handed;
  return turn && isHanded ? { id: turn.id, phase: 'handed' } : undefined;
}

function knownAsk({ code, tool, toolUse, hook, state }: Session['asks'][number]): KnownAsk {
  const about = {
    code,
    tool,
    ...(toolUse !== undefined && { toolUse }),
    ...(hook !== undefined && { hook }),
  };
  if (state.name !== 'decided' && state.name !== 'sent') return { ...about, sent: false };
  const { verdict, by, reason, scope = 'once' } = state;
  const answer: PermissionAnswer = { code, verdict, by, scope, ...(reason !== undefined && { reason }) };
  return { ...about, answer, sent: state.name === 'sent' };
}
