// A conversation goes from one machine to another while nothing of it runs. It is on the disk of both for a moment, and
// lives where the cluster says: what leaves begins nothing any more, what arrives begins nothing yet.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { CallerCommand } from '../commands.ts';
import { closeOrphans, settleAll, turnsLost } from '../settle.ts';
import { owedReplies, pendingAgents, type Session, unsettledAsks } from '../state/session.ts';
import type { SessionState } from '../state/snapshot.ts';
import { isSettled } from '../state/turn.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type MoveCommand = Extract<
  CallerCommand,
  { type: 'session.leave' | 'session.arrive' | 'session.hold' | 'session.house' }
>;

export function decideMove(session: Session, command: MoveCommand): Decision {
  switch (command.type) {
    case 'session.leave':
      if (session.removed) return refuse({ code: 'not_running' });
      if (session.move?.as === 'held') return refuse({ code: 'moving', ...session.move });
      if (session.turns.some((turn) => !isSettled(turn)) || pendingAgents(session).length > 0)
        return refuse({ code: 'running' });
      return { events: [{ type: 'session.housed', node: command.node }] };
    case 'session.arrive':
      return isFree(session) ? { events: arrive(command) } : refuse({ code: 'running' });
    case 'session.hold':
      return hold(session, command);
    case 'session.house':
      if (!session.move || (session.move.as === 'held' && !command.held)) return nothing;
      return { events: [{ type: 'session.housed' }] };
  }
}

/** There is none of this name here, or only what is left of one: it would be lost. */
function isFree(session: Session): boolean {
  const { removed, ingress, agent, lease, calls, turns } = session;
  if (agent.name !== 'stopped' || lease || calls.length > 0) return false;
  if (unsettledAsks(session).length > 0 || owedReplies(session).length > 0) return false;
  return removed ? turns.every(isSettled) : !ingress && turns.length === 0;
}

/** What runs ends in words, and what Claude cannot have seen goes back in line. */
function hold(session: Session, { node, ends }: Extract<MoveCommand, { type: 'session.hold' }>): Decision {
  const { removed, move, agent } = session;
  if (removed) return nothing;
  const events: SessionEvent[] = move?.as === 'held' ? [] : [{ type: 'session.held', node }];
  if (!ends) return { events };
  const detail = `${node} lost touch with the other machines`;
  const lost = turnsLost(session, { outcome: 'failed', code: 'machine_lost', detail });
  if (lost.unseen) events.push({ type: 'turn.requeued', turn: lost.unseen.id });
  if (agent.name !== 'stopped') events.push({ type: 'agent.stopping', reason: detail });
  events.push(...closeOrphans(session, detail, ...lost.ends));
  events.push(...settleAll(session, lost.ends).filter(({ type }) => type !== 'turn.delivering'));
  return { events };
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
