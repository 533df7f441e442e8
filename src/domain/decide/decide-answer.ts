import { never } from '../../base/never.ts';
import type { AgentReport } from '../commands.ts';
import { cancelled, settle } from '../settle.ts';
import { isKnown } from '../state/answer.ts';
import { originOf } from '../state/errands.ts';
import { currentTurn, type Session, type Turn } from '../state/session.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type AnswerReport = Extract<
  AgentReport,
  {
    type:
      | 'prompt.handing'
      | 'prompt.taken'
      | 'prompt.failed'
      | 'prompt.foreign'
      | 'message.delta'
      | 'turn.stopped'
      | 'turn.failed'
      | 'turn.idle';
  }
>;

/** How often a prompt that Claude certainly did not see is handed over before its sender is told. */
const deliveryAttempts = 2;

export function decideAnswer(session: Session, report: AnswerReport): Decision {
  const turn = currentTurn(session);
  switch (report.type) {
    case 'prompt.foreign':
      return foreign(session, turn, report);
    case 'prompt.handing':
      return handing(turn, report.turn);
    case 'prompt.taken':
      return taken(turn, report);
    case 'prompt.failed':
      return promptFailed(session, turn, report);
    case 'message.delta':
      return delta(turn, report);
    case 'turn.stopped': {
      if (!turn || !belongs(turn, report.prompt)) return refuse({ code: 'no_turn' });
      const last = report.text === undefined ? {} : { last: report.text };
      return { events: settle(session, turn, { outcome: 'completed', ...last }) };
    }
    case 'turn.failed': {
      if (!turn || !belongs(turn, report.prompt)) return refuse({ code: 'no_turn' });
      const { code, detail } = report;
      return { events: settle(session, turn, { outcome: 'failed', code, detail }) };
    }
    case 'turn.idle':
      return idle(session, turn, report.interrupted);
    default:
      return never(report);
  }
}

/** Reports of another prompt than the turn's own are not its answer. Before the prompt is known, anything is. */
function belongs(turn: Turn, prompt: string | undefined): boolean {
  if (turn.phase.name === 'running') {
    return turn.phase.prompt === undefined || prompt === undefined || turn.phase.prompt === prompt;
  }
  return false;
}

function handing(turn: Turn | undefined, id: string): Decision {
  if (turn?.id !== id || turn.phase.name !== 'delivering') return refuse({ code: 'unknown_turn' });
  return turn.phase.handed ? nothing : { events: [{ type: 'turn.handed', turn: id }] };
}

function taken(turn: Turn | undefined, report: Extract<AnswerReport, { type: 'prompt.taken' }>): Decision {
  if (!turn || turn.id !== report.turn) return refuse({ code: 'unknown_turn' });
  if (turn.phase.name === 'running' && (turn.phase.prompt !== undefined || report.prompt === undefined))
    return nothing;
  const prompt = report.prompt === undefined ? {} : { prompt: report.prompt };
  return { events: [{ type: 'turn.running', turn: turn.id, ...prompt }] };
}

function promptFailed(
  session: Session,
  turn: Turn | undefined,
  report: Extract<AnswerReport, { type: 'prompt.failed' }>,
): Decision {
  if (!turn || turn.id !== report.turn) return refuse({ code: 'unknown_turn' });
  const { code, detail } = report;
  if (turn.cancelledBy) return { events: settle(session, turn, cancelled(turn)) };
  if (report.retry && turn.phase.name === 'delivering' && turn.phase.attempt < deliveryAttempts) {
    return { events: [{ type: 'turn.delivering', turn: turn.id, attempt: turn.phase.attempt + 1 }] };
  }
  return { events: settle(session, turn, { outcome: 'failed', code, detail }) };
}

/** A prompt nobody in a chat sent gets a turn of its own, unless one is running: then Claude folds it into that one. */
function foreign(
  session: Session,
  turn: Turn | undefined,
  report: Extract<AnswerReport, { type: 'prompt.foreign' }>,
): Decision {
  if (turn || session.turns.some((other) => other.id === report.turn)) return nothing;
  const { turn: id, text, prompt, errand } = report;
  const origin = originOf(session, errand);
  return { events: [{ type: 'turn.adopted', turn: id, text, prompt, ...(origin && { origin }) }] };
}

function delta(turn: Turn | undefined, report: Extract<AnswerReport, { type: 'message.delta' }>): Decision {
  if (!turn || !belongs(turn, report.prompt)) return refuse({ code: 'no_turn' });
  if (isKnown(turn.answer, report)) return nothing;
  const { message, index, text, final } = report;
  return { events: [{ type: 'answer.delta', turn: turn.id, message, index, text, final }] };
}

function idle(session: Session, turn: Turn | undefined, interrupted: boolean): Decision {
  if (turn?.phase.name !== 'running') return refuse({ code: 'no_turn' });
  if (turn.cancelledBy) return { events: settle(session, turn, cancelled(turn)) };
  if (interrupted) {
    return { events: settle(session, turn, { outcome: 'cancelled', detail: "in Claude's terminal" }) };
  }
  return { events: settle(session, turn, { outcome: 'failed', code: 'silent' }) };
}
