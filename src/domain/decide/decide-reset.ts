// What is known of a conversation cannot be true (see broken-invariant.ts). Claude Code is ended, and with it whatever was on
// its way; the next message resumes its conversation.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { CallerCommand } from '../commands.ts';
import { closeOrphans, type End, settleAll, startHeld } from '../settle.ts';
import type { Session } from '../state/session.ts';
import type { Decision } from './decision.ts';

type Reset = Extract<CallerCommand, { type: 'session.reset' }>;

export function decideReset(session: Session, { rule, reports }: Reset): Decision {
  const ends = session.turns
    .filter(({ phase }) => phase.name !== 'queued' && phase.name !== 'settled')
    .map((turn): End => [turn, { outcome: 'failed', code: 'lost_track', detail: rule }]);
  const reason = 'the bridge lost track of it';
  const stopping: SessionEvent[] =
    session.agent.name === 'stopped' ? [] : [{ type: 'agent.stopping', reason }];
  return {
    events: [
      { type: 'session.broken', rule, reports },
      ...stopping,
      ...closeOrphans(session, reason, ...ends),
      ...settleAll(session, ends),
      ...startHeld(session, ...ends.map(([turn]) => turn)),
    ],
  };
}
