import type { CallerCommand } from '../commands.ts';
import { findResponse, type Session } from '../state/session.ts';
import { type Decision, nothing } from './decision.ts';

type ResponseCommand = Extract<CallerCommand, { type: `response.${string}` }>;

/** A repeat of a request reads the same response again: opening and closing it twice change nothing. */
export function decideResponse(session: Session, command: ResponseCommand): Decision {
  const known = findResponse(session, command.response);
  switch (command.type) {
    case 'response.open': {
      if (known) return nothing;
      const { type: _, ...fields } = command;
      return { events: [{ type: 'response.opened', ...fields }] };
    }
    case 'response.close': {
      if (!known || known.said || known.deleted) return nothing;
      const { response, text, calls } = command;
      return { events: [{ type: 'response.closed', response, text, calls }] };
    }
    case 'response.delete':
      if (!known || known.deleted) return nothing;
      return { events: [{ type: 'response.deleted', response: command.response }] };
  }
}
