// Many may look at Claude's own terminal, one may type into it. Who it is stands in the journal, for all to see.
import type { CallerCommand } from '../commands.ts';
import type { Session } from '../state/session.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type LeaseCommand = Extract<CallerCommand, { type: 'lease.take' | 'lease.release' }>;

export function decideLease({ lease }: Session, command: LeaseCommand): Decision {
  if (command.type === 'lease.release') {
    return lease?.id === command.lease
      ? { events: [{ type: 'lease.released', lease: command.lease, why: command.why }] }
      : nothing;
  }
  if (!lease) return { events: [{ type: 'lease.taken', lease: command.lease, by: command.by }] };
  return lease.id === command.lease ? nothing : refuse({ code: 'driven', by: lease.by });
}
