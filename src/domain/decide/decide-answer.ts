import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { AgentReport } from '../commands.ts';
import { isDialog } from '../question/dialog-question.ts';
import { cancelled, endQueued, settle, startNext } from '../settle.ts';
import { addDelta, hasText, isKnown, isStraight, isWhole } from '../state/answer.ts';
import { originOf } from '../state/errands.ts';
import {
  deliveringTurn,
  findTurn,
  openAsks,
  queuedInClaude,
  runningTurn,
  type Session,
} from '../state/session.ts';
import type { RunningTurn, Turn } from '../state/turn.ts';
import { completed } from './completed.ts';
import { toldEvents } from './decide-task.ts';
import { type Decision, nothing, refuse } from './decision.ts';
import { continued, endsUntold, inTerminal, isOver, learned, unannounced, whose } from './whose.ts';

type AnswerReport = Extract<
  AgentReport,
  {
    type:
      | 'prompt.handing'
      | 'prompt.taken'
      | 'prompt.failed'
      | 'prompt.held'
      | 'prompt.foreign'
      | 'message.delta'
      | 'turn.rest'
      | 'turn.stopped'
      | 'turn.failed'
      | 'turn.idle';
  }
>;
type ReportOf<T extends AnswerReport['type']> = Extract<AnswerReport, { type: T }>;

/** How often a prompt that Claude certainly did not see is handed over before its sender is told. */
const deliveryAttempts = 2;

export function decideAnswer(session: Session, report: AnswerReport): Decision {
  switch (report.type) {
    case 'prompt.foreign':
      return foreign(session, report);
    case 'prompt.handing':
      return handing(session, report.turn);
    case 'prompt.taken':
      return taken(session, report);
    case 'prompt.failed':
      return promptFailed(session, report);
    case 'prompt.held':
      return held(session, report);
    case 'message.delta':
      return delta(session, report);
    case 'turn.rest':
      return rest(session, report);
    case 'turn.stopped':
      return stopped(session);
    case 'turn.failed':
      return failed(session, report);
    case 'turn.idle':
      return idle(session, report.interrupted);
    default:
      return never(report);
  }
}

function handing(session: Session, id: string): Decision {
  const turn = deliveringTurn(session);
  if (turn?.id !== id || turn.phase.name !== 'delivering') return refuse({ code: 'unknown_turn' });
  return turn.phase.handed ? nothing : { events: [{ type: 'turn.handed', turn: id }] };
}

/** Claude Code has our prompt: it runs it, or puts it behind what runs or has just ended. */
function taken(session: Session, { turn: id, prompt }: ReportOf<'prompt.taken'>): Decision {
  const turn = findTurn(session, id);
  const { phase } = turn ?? {};
  const runs: SessionEvent = { type: 'turn.running', turn: id, ...(prompt !== undefined && { prompt }) };
  if (phase?.name === 'running') {
    // Entered while a turn ended, it is told under the prompt of that one.
    const isKnown = phase.prompt !== undefined || prompt === undefined || isOver(session, prompt);
    return isKnown ? nothing : { events: [runs] };
  }
  if (turn && phase?.name === 'settled' && prompt !== undefined) return takenLate(session, turn, prompt);
  const isQueued = phase?.name === 'joining' && phase.queued;
  if (phase?.name !== 'delivering' && !isQueued) return refuse({ code: 'unknown_turn' });
  const of = whose(session, prompt);
  if (of.is === 'unknown') return { events: [...endsUntold(session), runs] };
  return isQueued
    ? nothing
    : { events: [{ type: 'turn.joining', turn: id, into: of.turn.id, queued: true }] };
}

/** Nobody waits for it any more, and Claude works on it: it goes on as one that nobody sent, to be interrupted. */
function takenLate(session: Session, { text }: Turn, prompt: string): Decision {
  if (whose(session, prompt).is !== 'unknown') return refuse({ code: 'unknown_turn' });
  return { events: unannounced({ ...session, held: [text] }, prompt).events };
}

function promptFailed(session: Session, report: ReportOf<'prompt.failed'>): Decision {
  const turn = [deliveringTurn(session), runningTurn(session)].find((each) => each?.id === report.turn);
  if (!turn) return refuse({ code: 'unknown_turn' });
  const { code, detail } = report;
  if (turn.cancelledBy) return { events: settle(session, turn, cancelled(turn)) };
  if (report.retry && turn.phase.name === 'delivering' && turn.phase.attempt < deliveryAttempts) {
    return { events: [{ type: 'turn.delivering', turn: turn.id, attempt: turn.phase.attempt + 1 }] };
  }
  return { events: settle(session, turn, { outcome: 'failed', code, detail }) };
}

/** It goes back in line with the reason on it, and is not tried again at once: what keeps it would do so again. */
function held(session: Session, { turn: id, code, detail }: ReportOf<'prompt.held'>): Decision {
  const turn = deliveringTurn(session);
  if (turn?.id !== id) return refuse({ code: 'unknown_turn' });
  if (turn.cancelledBy) return { events: settle(session, turn, cancelled(turn)) };
  return { events: [{ type: 'turn.held', turn: id, code, detail }] };
}

/**
 * A prompt that nobody in a chat sent gets a turn of its own, unless Claude Code takes it into the one that runs: the end
 * of a task while Claude works, further ends before Claude has said anything, and what somebody types meanwhile.
 */
function foreign(session: Session, report: ReportOf<'prompt.foreign'>): Decision {
  const { turn, text, prompt, errand, told } = report;
  const tasks = toldEvents(session, told);
  const running = runningTurn(session);
  const of = whose(session, prompt);
  // Only that a message reached Claude Code is known of it: it is behind what that has begun by itself.
  const isBehind = told !== undefined && running !== undefined && running.phase.prompt === undefined;
  if ((of.is !== 'unknown' && !isBehind) || isAsking(session))
    return { events: [...tasks, ...(told ? [] : [{ type: 'prompt.held' as const, text }])] };
  const under = prompt === undefined ? {} : { prompt };
  if (running?.phase.told && !running.phase.rested && told)
    return { events: [...tasks, { type: 'turn.running', turn: running.id, ...under }] };
  const origin = originOf(session, errand);
  return {
    events: [
      ...(isBehind
        ? [{ type: 'turn.joining' as const, turn: running.id, into: turn, queued: true as const }]
        : endsUntold(session)),
      {
        type: 'turn.adopted',
        turn,
        text,
        ...under,
        ...(origin && { origin }),
        ...(told && { told: true }),
      },
      ...tasks,
    ],
  };
}

/** The main thread waits for an answer: whatever is told meanwhile, it begins nothing. A dialog may be that of an agent. */
const isAsking = (session: Session): boolean =>
  openAsks(session).some((ask) => ask.agent === undefined && ask.call === undefined && !isDialog(ask));

type Delta = ReportOf<'message.delta'>;

function delta(session: Session, report: Delta): Decision {
  const { prompt } = report;
  const running = runningTurn(session);
  // Nearly every piece is one of a turn that simply runs.
  if (running && running.phase.prompt === prompt && !running.phase.rested)
    return isKnown(running.answer, report)
      ? nothing
      : { events: [said(running.id, placed(running, report))] };
  const of = whose(session, prompt);
  switch (of.is) {
    case 'running': {
      const { turn } = of;
      if (isKnown(turn.answer, report)) return nothing;
      const piece = placed(turn, report);
      const after = { ...turn, answer: addDelta(turn.answer, piece) };
      return { events: [...learned(turn, prompt), said(turn.id, piece), ...wholeNow(session, after)] };
    }
    case 'over': {
      if (hasText(of.turn.answer, report)) return nothing;
      // It is no answer to what Claude does now, and must not be lost.
      if (running) return { events: [said(of.turn.id, report)] };
      const begun = continued(session, of.turn, of.prompt);
      return { events: [...begun.events, said(begun.turn, report)] };
    }
    case 'unknown': {
      const begun = unannounced(session, prompt);
      return { events: [...begun.events, said(begun.turn, report)] };
    }
    default:
      return never(of);
  }
}

type Piece = Delta & { straight?: true };

const placed = ({ answer }: Turn, report: Delta): Piece =>
  isStraight(answer, report) ? { ...report, straight: true } : report;

/** Put together as a whole: there is nothing of which there are more. */
function said(turn: string, { message, index, text, final, straight }: Piece): SessionEvent {
  const type = 'answer.delta' as const;
  return straight
    ? { type, turn, message, index, text, final, straight }
    : { type, turn, message, index, text, final };
}

/** What a turn that rests waited for is there. */
function wholeNow(session: Session, turn: RunningTurn): SessionEvent[] {
  const { last } = turn.phase.rested ?? {};
  if (last === undefined || session.sentOn || !isWhole(turn.answer, last)) return [];
  return settle(session, turn, completed(session, last));
}

/** Stop. It is the end, unless more of what was said is on its way, or Claude is known to be sent on. */
function rest(session: Session, { prompt, last }: ReportOf<'turn.rest'>): Decision {
  const of = whose(session, prompt);
  switch (of.is) {
    case 'running': {
      const { turn } = of;
      const isOver = last === undefined || (!session.sentOn && isWhole(turn.answer, last));
      if (isOver) return { events: settle(session, turn, completed(session, last)) };
      if (turn.phase.rested?.last === last) return nothing;
      return { events: [{ type: 'turn.rested', turn: turn.id, last }] };
    }
    case 'over':
      return nothing;
    case 'unknown':
      return prompt === undefined ? refuse({ code: 'no_turn' }) : restsAtOnce(session, prompt, last);
    default:
      return never(of);
  }
}

/** All that is known of the turn is how it ended. */
function restsAtOnce(session: Session, prompt: string, last: string | undefined): Decision {
  const { turn, events } = unannounced(session, prompt);
  return { events: [...events, { type: 'turn.rested', turn, ...(last !== undefined && { last }) }] };
}

function stopped(session: Session): Decision {
  const turn = runningTurn(session);
  const rested = turn?.phase.rested;
  if (!rested) return refuse({ code: 'no_turn' });
  return { events: settle(session, turn, completed(session, rested.last)) };
}

function failed(session: Session, { prompt, code, detail }: ReportOf<'turn.failed'>): Decision {
  const of = whose(session, prompt);
  if (of.is === 'running') return { events: settle(session, of.turn, { outcome: 'failed', code, detail }) };
  if (of.is === 'over' || prompt === undefined) return refuse({ code: 'no_turn' });
  const begun = unannounced(session, prompt);
  const ended: SessionEvent = { type: 'turn.settled', turn: begun.turn, outcome: 'failed', code, detail };
  const queued = queuedInClaude(session);
  return { events: [...begun.events, ended, ...startNext(session, ...(queued ? [queued] : []))] };
}

/** Nothing runs, whatever was heard. What Claude Code had in its queue it has taken into the turn before. */
function idle(session: Session, interrupted: boolean): Decision {
  const turn = runningTurn(session);
  if (!turn) {
    const queued = queuedInClaude(session);
    return queued ? { events: endQueued(session, queued) } : refuse({ code: 'no_turn' });
  }
  const { rested } = turn.phase;
  if (turn.cancelledBy) return { events: settle(session, turn, cancelled(turn)) };
  if (rested) return { events: settle(session, turn, completed(session, rested.last)) };
  if (interrupted) return { events: settle(session, turn, { outcome: 'cancelled', detail: inTerminal }) };
  return { events: settle(session, turn, { outcome: 'failed', code: 'silent' }) };
}
