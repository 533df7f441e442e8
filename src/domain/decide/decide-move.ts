// A conversation goes from one machine to another while nothing of it runs. It is on the disk of both for a moment, and
// lives where the cluster says: what leaves begins nothing any more, what arrives begins nothing yet.
import type { SessionEvent } from '../../protocol/events.ts';
import type { CallerCommand } from '../commands.ts';
import { isSettled, owedReplies, type Session, unsettledAsks } from '../state/session.ts';
import type { SessionState } from '../state/snapshot.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type MoveCommand = Extract<CallerCommand, { type: 'session.leave' | 'session.arrive' | 'session.house' }>;

export function decideMove(session: Session, command: MoveCommand): Decision {
  switch (command.type) {
    case 'session.leave':
      if (session.removed) return refuse({ code: 'not_running' });
      if (session.turns.some((turn) => !isSettled(turn))) return refuse({ code: 'running' });
      return { events: [{ type: 'session.housed', node: command.node }] };
    case 'session.arrive':
      return isFree(session) ? { events: arrive(command) } : refuse({ code: 'running' });
    case 'session.house':
      return session.move ? { events: [{ type: 'session.housed' }] } : nothing;
  }
}

/** There is none of this name here, or only what is left of one: it would be lost. */
function isFree(session: Session): boolean {
  const { removed, ingress, agent, lease, calls, turns } = session;
  if (agent.name !== 'stopped' || lease || calls.length > 0) return false;
  if (unsettledAsks(session).length > 0 || owedReplies(session).length > 0) return false;
  return removed ? turns.every(isSettled) : !ingress && turns.length === 0;
}

/** Its process, and who was at its terminal, stay behind. */
function arrive({ node, state, launch }: Extract<MoveCommand, { type: 'session.arrive' }>): SessionEvent[] {
  const { run: _, heard: __, mode: ___, lease: ____, claude, ...rest } = state as unknown as SessionState;
  const arrived: SessionState = {
    ...rest,
    ...(claude && { claude: { id: claude.id, prompted: claude.prompted, launch } }),
    agent: { name: 'stopped' },
    health: [],
    removed: true,
    move: { node, as: 'arriving' },
  };
  return [
    { type: 'session.opened', ingress: rest.ingress ?? 'openai' },
    ...(claude ? [{ type: 'session.claude' as const, claude: claude.id, launch }] : []),
    { type: 'session.restored', version: 1, state: { ...arrived } },
  ];
}
