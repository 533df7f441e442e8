import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import { isWaitedFor } from '../../protocol/events/failures.ts';
import type { AgentReport } from '../commands.ts';
import { modeName } from '../permission-mode.ts';
import { cancelled, closeOrphans, type End, type Ending, settle, settleAll, startHeld } from '../settle.ts';
import { currentTurn, deliveringTurn, queuedInClaude, runningTurn, type Session } from '../state/session.ts';
import { type Decision, nothing, refuse } from './decision.ts';
import { tasksLost } from './tasks-lost.ts';

type LifecycleReport = Extract<
  AgentReport,
  {
    type:
      | 'agent.starting'
      | 'agent.dialog'
      | 'agent.ready'
      | 'agent.exited'
      | 'agent.open'
      | 'agent.status'
      | 'agent.mode'
      | 'agent.session';
  }
>;

export function decideAgent(session: Session, report: LifecycleReport): Decision {
  switch (report.type) {
    case 'agent.starting':
      return { events: [{ type: 'agent.starting', ...(report.run !== undefined && { run: report.run }) }] };
    case 'agent.ready': {
      const { pid, delivery, health } = report;
      return { events: [{ type: 'agent.ready', pid, delivery, health }] };
    }
    case 'agent.status':
      return { events: [{ type: 'agent.status', status: report.status }] };
    case 'agent.mode': {
      const known = session.mode ?? session.claude?.launch.permissionMode;
      const mode = modeName(report.mode);
      if (session.agent.name === 'stopped' || (known && modeName(known) === mode)) return nothing;
      return { events: [{ type: 'agent.mode', mode }] };
    }
    case 'agent.session': {
      const { claude } = session;
      if (!claude || claude.id === report.claude) return nothing;
      const { launch, waiting } = claude;
      const events: SessionEvent[] = [{ type: 'session.claude', claude: report.claude, launch }];
      return { events: waiting ? [...events, { type: 'session.configured', launch, waiting }] : events };
    }
    case 'agent.dialog':
      return dialog(session, report);
    case 'agent.exited':
      return exited(session, report);
    case 'agent.open':
      return { events: startHeld(session) };
    default:
      return never(report);
  }
}

/**
 * Claude waits for its operator. The chat user is told at once: nobody knows when the operator comes. A message that can
 * wait for that is told of as one that does.
 */
function dialog(session: Session, report: Extract<LifecycleReport, { type: 'agent.dialog' }>): Decision {
  const { dialog: name, screen, failure, asked } = report;
  const turn = currentTurn(session);
  const told =
    turn && !isWaitedFor(failure) ? settle(session, turn, { outcome: 'failed', code: failure }) : [];
  const event: SessionEvent = {
    type: 'agent.dialog',
    dialog: name,
    screen,
    failure,
    ...(asked && { asked }),
  };
  return { events: [event, ...told] };
}

function exited(session: Session, report: Extract<LifecycleReport, { type: 'agent.exited' }>): Decision {
  if (session.agent.name === 'stopped' && !currentTurn(session)) return refuse({ code: 'not_running' });
  const { detail, failure } = report;
  // A prompt that is on its way is left with the agent, which knows whether Claude may have seen it: if not, Claude is
  // started again for it. A start that failed would fail again, and what it failed of may be worth waiting for.
  const isAgents = failure === undefined || failure === 'exited' || isWaitedFor(failure);
  const turns = [
    queuedInClaude(session),
    runningTurn(session),
    isAgents ? undefined : deliveringTurn(session),
  ];
  const ending: Ending = { outcome: 'failed', code: failure ?? 'exited', detail };
  const ends = turns.flatMap((turn): End[] =>
    turn ? [[turn, turn.cancelledBy === undefined ? ending : cancelled(turn)]] : [],
  );
  return {
    events: [
      { type: 'agent.exited', detail, ...(failure && { failure }) },
      ...closeOrphans(session, 'Claude Code ended', ...ends),
      ...(ends.length > 0 ? settleAll(session, ends) : []),
      ...tasksLost(session, detail),
    ],
  };
}
