// What is known of a session's process.
import type { SessionEvent } from '../../protocol/events/events.ts';
import { addCost } from './cost.ts';
import type { Session } from './session.ts';

/** Applies an `agent.` event. @param at wall clock, epoch ms */
export function evolveAgent(session: Session, event: SessionEvent, at: number): Session {
  switch (event.type) {
    case 'agent.wanted':
    case 'agent.starting':
      return {
        ...anew(session),
        agent: { name: 'starting' },
        health: [],
        ...('run' in event && event.run !== undefined && { run: event.run }),
      };
    case 'agent.dialog': {
      const { dialog, screen, failure } = event;
      return { ...session, agent: { name: 'dialog', dialog, screen, failure } };
    }
    case 'agent.ready':
      return {
        ...session,
        agent: { name: 'ready', pid: event.pid, delivery: event.delivery },
        health: event.health,
      };
    case 'agent.adopted': {
      const { agent } = session;
      return agent.name === 'ready' ? { ...session, agent: { ...agent, pid: event.pid } } : session;
    }
    case 'agent.stopping':
      return { ...session, agent: { name: 'stopping', reason: event.reason } };
    case 'agent.exited': {
      const failure = event.failure ? { failure: event.failure } : {};
      return { ...anew(session), agent: { name: 'stopped', detail: event.detail, ...failure } };
    }
    case 'agent.mode':
      return { ...session, mode: event.mode };
    case 'agent.status': {
      const cost = addCost(session.cost, event.status.cost_usd, at);
      return { ...session, status: event.status, ...(cost && { cost }) };
    }
    default:
      return session;
  }
}

/** A new process is in the mode it is started with, and nothing was heard of it. What the one before ran is gone. */
function anew({ mode: _, run: __, heard: ___, ...rest }: Session): Session {
  return { ...rest, tasks: [], held: [] };
}
