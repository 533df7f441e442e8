import { never } from '../../base/never.ts';
import type { AgentReport } from '../commands.ts';
import { joinable } from '../message/steer.ts';
import { joined } from '../settle.ts';
import { findTurn, type Session } from '../state/session.ts';
import { type Decision, refuse } from './decision.ts';

type JoinReport = Extract<AgentReport, { type: 'prompt.joining' | 'prompt.joined' | 'prompt.parted' }>;

/** A message on its way into the turn that runs. It is in flight with that turn, and ends no later. */
export function decideJoin(session: Session, report: JoinReport): Decision {
  const { turn } = report;
  if (report.type === 'prompt.joining') {
    const { into, joins: [first] = [] } = joinable(session) ?? {};
    if (!into || first?.id !== turn) return refuse({ code: 'unknown_turn' });
    const { hook } = report;
    return { events: [{ type: 'turn.joining', turn, into: into.id, ...(hook !== undefined && { hook }) }] };
  }
  const known = findTurn(session, turn);
  if (known?.phase.name !== 'joining') return refuse({ code: 'unknown_turn' });
  switch (report.type) {
    case 'prompt.joined':
      return { events: [joined(known, known.phase.into)] };
    case 'prompt.parted':
      return { events: [{ type: 'turn.parted', turn }] };
    default:
      return never(report);
  }
}
