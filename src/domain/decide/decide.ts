// The one place that decides. Pure: time and new ids come with the command, effects follow from the events.

import type { Command } from '../commands.ts';
import type { Session } from '../state/session.ts';
import { heldBack, whilePanic } from './at-rest.ts';
import { decideAgent } from './decide-agent.ts';
import { decideAnswer } from './decide-answer.ts';
import { decideJoin } from './decide-join.ts';
import { decideLease } from './decide-lease.ts';
import { decideMove } from './decide-move.ts';
import { decidePermission } from './decide-permission.ts';
import { decideReply } from './decide-reply.ts';
import { decideReset } from './decide-reset.ts';
import { decideResponse } from './decide-response.ts';
import { decideSession } from './decide-session.ts';
import { decideTask } from './decide-task.ts';
import { decideTool } from './decide-tool.ts';
import { decideTurn } from './decide-turn.ts';
import { beginsWork, type Decision, type Limits, refuse } from './decision.ts';
import { decideWarm } from './open-session.ts';

export function decide(session: Session, command: Command, limits: Limits): Decision {
  const decision = decideHere(session, command, limits);
  // A repeat of a message that is known begins nothing: it was refused as such.
  if (limits.full && beginsWork(session, command) && !('rejection' in decision))
    return refuse({ code: 'not_stored' });
  return limits.panic ? whilePanic(session, command, decision, limits.panic) : decision;
}

/** Of what is on its way, or may be elsewhere by now, nothing begins here. */
function decideHere(session: Session, command: Command, limits: Limits): Decision {
  const decision = decideAlone(session, command, limits);
  if (!session.move || 'rejection' in decision) return decision;
  if (beginsWork(session, command)) return refuse({ code: 'moving', ...session.move });
  return { events: decision.events.flatMap((event) => heldBack(session, event)) };
}

function decideAlone(session: Session, command: Command, limits: Limits): Decision {
  switch (command.type) {
    // The most of all by far, so it is asked for first.
    case 'message.delta':
    case 'prompt.taken':
    case 'prompt.handing':
    case 'prompt.failed':
    case 'prompt.held':
    case 'prompt.foreign':
    case 'turn.rest':
    case 'turn.stopped':
    case 'turn.failed':
    case 'turn.idle':
      return decideAnswer(session, command);
    case 'turn.submit':
    case 'turn.cancel':
    case 'turn.withdraw':
    case 'turn.expire':
    case 'reader.close':
      return decideTurn(session, command, limits);
    case 'session.renew':
    case 'session.link':
    case 'session.configure':
    case 'session.label':
    case 'session.start':
    case 'session.stop':
    case 'session.remove':
    case 'session.recover':
    case 'session.adopt':
    case 'session.rest':
    case 'session.proceed':
    case 'catalog.set':
      return decideSession(session, command);
    case 'session.leave':
    case 'session.arrive':
    case 'session.hold':
    case 'session.house':
      return decideMove(session, command);
    case 'session.reset':
      return decideReset(session, command);
    case 'session.warm':
      return decideWarm(session, command);
    case 'lease.take':
    case 'lease.release':
      return decideLease(session, command);
    case 'reply.owe':
    case 'reply.sent':
      return decideReply(session, command);
    case 'response.open':
    case 'response.close':
    case 'response.delete':
      return decideResponse(session, command);
    case 'tool.call':
    case 'tool.cancel':
    case 'tool.answer':
    case 'tool.expire':
    case 'tool.progress':
    case 'tool.activity':
    case 'tool.ruled':
      return decideTool(session, command);
    case 'permission.ask':
    case 'permission.decide':
    case 'permission.expire':
    case 'permission.guess':
    case 'permission.tell':
    case 'permission.show':
    case 'permission.sent':
    case 'permission.ran':
    case 'permission.withdrawn':
      return decidePermission(session, command);
    case 'task.begin':
    case 'task.end':
    case 'tasks.listed':
      return decideTask(session, command);
    case 'prompt.joining':
    case 'prompt.joined':
    case 'prompt.parted':
      return decideJoin(session, command);
    default:
      return decideAgent(session, command);
  }
}
