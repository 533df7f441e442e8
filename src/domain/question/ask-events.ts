// How a question begins, and what a verdict on it brings.
import type { SessionEvent } from '../../protocol/events/events.ts';
import { type Ask, type AskingAgent, currentTurn, findTurn, type Session } from '../state/session.ts';
import type { Turn } from '../state/turn.ts';
import { denialWords } from '../tools/denial.ts';
import { isDialog } from './dialog-question.ts';

export type AskedEvent = Extract<SessionEvent, { type: 'permission.asked' }>;
export type DecidedEvent = Extract<SessionEvent, { type: 'permission.decided' }>;

/** The turn in which an agent was begun: whoever asked for that is asked. */
export function beganBy(session: Session, agent: string): Turn | undefined {
  const id = session.tasks.find((task) => task.id === agent)?.turn;
  return (id === undefined ? undefined : findTurn(session, id)) ?? currentTurn(session);
}

export function askingAgent(session: Session, id: string): AskingAgent {
  const title = session.tasks.find((task) => task.id === id)?.title;
  return { id, ...(title !== undefined && { title }) };
}

/** Whose chat is asked. A dialog may stand where nothing runs: then it is the one that somebody wrote in last. */
function turnAsked(session: Session, question: Pick<AskedEvent, 'agent' | 'tool'>): Turn | undefined {
  if (question.agent) return beganBy(session, question.agent.id);
  const current = currentTurn(session);
  if (current || !isDialog(question)) return current;
  return session.turns.findLast(({ adopted }) => !adopted);
}

/** A question of the turn in flight, or of an agent. In an unattended run it is denied at once: nobody is there to answer. */
export function askEvents(session: Session, question: Omit<AskedEvent, 'type' | 'turn'>): SessionEvent[] {
  const turn = turnAsked(session, question);
  const asked: AskedEvent = { type: 'permission.asked', ...question, ...(turn && { turn: turn.id }) };
  const run = turn?.meta.unattended;
  if (run === undefined) return [asked];
  const { code, tool, input, call, tool_use, provider, agent } = asked;
  const reason = `this is an unattended run (${run}): nobody can be asked; go on without it`;
  return [
    asked,
    ...decidedEvents(
      { ...waiting({ tool, input, call, tool_use, provider, agent }), ...(turn && { turn: turn.id }) },
      { type: 'permission.decided', code, verdict: 'deny', by: 'bridge', reason, scope: 'once' },
    ),
  ];
}

type Waiting = Pick<Ask, 'tool' | 'input' | 'call' | 'turn' | 'toolUse' | 'provider' | 'agent'>;

const waiting = ({
  tool,
  input,
  call,
  tool_use,
  provider,
  agent,
}: Pick<AskedEvent, 'tool' | 'input' | 'call' | 'tool_use' | 'provider' | 'agent'>): Waiting => ({
  tool,
  input,
  ...(call !== undefined && { call }),
  ...(tool_use !== undefined && { toolUse: tool_use }),
  ...(provider !== undefined && { provider }),
  ...(agent && { agent }),
});

/** A verdict. A call of a lent tool that waited for it goes out now and not before, or ends in words. */
export function decidedEvents(ask: Waiting, decided: DecidedEvent): SessionEvent[] {
  const { call, tool, input, turn, toolUse, provider, agent } = ask;
  if (call === undefined) return [unanswered(ask, decided)];
  const settled: SessionEvent = { type: 'permission.settled', code: decided.code, outcome: 'applied' };
  if (decided.verdict === 'deny')
    return [
      decided,
      { type: 'tool.dropped', call, reason: denialWords(tool, decided), denied: true },
      settled,
    ];
  const called: SessionEvent = {
    type: 'tool.called',
    call,
    tool,
    args: input as Record<string, unknown>,
    ...(turn !== undefined && { turn }),
    ...(toolUse !== undefined && { tool_use: toolUse }),
    ...(agent && { agent: agent.id }),
    ...(provider !== undefined && { provider }),
  };
  return [decided, called, settled];
}

/**
 * What time, or the bridge itself, says to a question. A dialog of Claude Code is never answered by us: no key is pressed for
 * it, and it stands on.
 */
export function unanswered(ask: Pick<Ask, 'tool' | 'call'>, decided: DecidedEvent): SessionEvent {
  const { code, by, reason = 'it is not asked any more' } = decided;
  if (!isDialog(ask) || (by !== 'bridge' && by !== 'expiry')) return decided;
  const outcome = by === 'expiry' ? 'expired' : 'superseded';
  return { type: 'permission.settled', code, outcome, detail: `${reason}; ${stillStands}` };
}

const stillStands = "no key was pressed, and the dialog can be answered in Claude's terminal";
