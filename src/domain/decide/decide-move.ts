// A conversation goes from one machine to another while nothing of it runs. It is on the disk of both for a moment, and
// lives where the cluster says: what leaves begins nothing any more, what arrives begins nothing yet.
import type { SessionEvent } from '../../protocol/events.ts';
import type { CallerCommand } from '../commands.ts';
import { isSettled, type Session } from '../state/session.ts';
import type { SessionState } from '../state/snapshot.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type MoveCommand = Extract<CallerCommand, { type: 'session.leave' | 'session.arrive' | 'session.house' }>;

export function decideMove(session: Session, command: MoveCommand): Decision {
  switch (command.type) {
    case 'session.leave':
      if (session.removed) return refuse({ code: 'not_running' });
      if (session.turns.some((turn) => !isSettled(turn))) return refuse({ code: 'running' });
      return { events: [{ type: 'session.housed', node: command.node, as: 'leaving' }] };
    case 'session.arrive':
      // One that lives here would be lost.
      if (session.ingress && !session.removed) return refuse({ code: 'running' });
      return { events: arrive(session, command) };
    case 'session.house':
      return session.move ? { events: [{ type: 'session.housed' }] } : nothing;
  }
}

/** Its process, and who was at its terminal, stay behind. */
function arrive(
  session: Session,
  { node, state, launch }: Extract<MoveCommand, { type: 'session.arrive' }>,
): SessionEvent[] {
  const { run: _, heard: __, mode: ___, lease: ____, claude, ...rest } = state as unknown as SessionState;
  const arrived: SessionState = {
    ...rest,
    ...(claude && { claude: { id: claude.id, prompted: claude.prompted, launch } }),
    // One that ended badly here is still ending: what it does is heard of.
    agent: session.agent.name === 'stopped' ? { name: 'stopped' } : session.agent,
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
