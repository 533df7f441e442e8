import { never } from '../base/invariant.ts';
import type { AgentReport, CallerCommand } from './commands.ts';
import { type Decision, nothing, refuse } from './decision.ts';
import { type Ask, currentTurn, type Session } from './session.ts';

type PermissionCommand =
  | Extract<CallerCommand, { type: 'permission.decide' | 'permission.expire' }>
  | Extract<AgentReport, { type: 'permission.ask' | 'permission.sent' | 'permission.withdrawn' }>;

export function decidePermission(session: Session, command: PermissionCommand): Decision {
  if (command.type === 'permission.ask') return ask(session, command);
  const found = session.asks.find((known) => known.code === command.code);
  if (!found) return refuse({ code: 'unknown_code' });
  switch (command.type) {
    case 'permission.decide':
      return verdict(found, command);
    case 'permission.expire':
      return verdict(found, { type: 'permission.decide', code: found.code, verdict: 'deny', by: 'expiry' });
    case 'permission.sent':
      return found.state.name === 'decided'
        ? { events: [{ type: 'permission.sent', code: found.code }] }
        : nothing;
    case 'permission.withdrawn': {
      if (found.state.name === 'settled') return nothing;
      const { code, detail } = command;
      return { events: [{ type: 'permission.settled', code, outcome: 'superseded', detail }] };
    }
    default:
      return never(command);
  }
}

function ask(session: Session, command: Extract<PermissionCommand, { type: 'permission.ask' }>): Decision {
  if (session.asks.some((known) => known.code === command.code)) return refuse({ code: 'code_in_use' });
  const turn = currentTurn(session);
  const { code, tool, input, rationale, expires_at, tool_use } = command;
  return {
    events: [
      {
        type: 'permission.asked',
        code,
        tool,
        input,
        expires_at,
        ...(turn && { turn: turn.id }),
        ...(rationale !== undefined && { rationale }),
        ...(tool_use !== undefined && { tool_use }),
      },
    ],
  };
}

/** The first verdict wins; every later one hears what was decided, and by whom. */
function verdict(found: Ask, command: Extract<PermissionCommand, { type: 'permission.decide' }>): Decision {
  const { state } = found;
  if (state.name === 'asked') {
    const { code, verdict: given, by, who, reason, scope } = command;
    return {
      events: [
        {
          type: 'permission.decided',
          code,
          verdict: given,
          by,
          scope: scope ?? 'once',
          ...(who !== undefined && { who }),
          ...(reason !== undefined && { reason }),
        },
      ],
    };
  }
  const who = state.who === undefined ? {} : { who: state.who };
  return refuse({
    code: 'already_answered',
    verdict: state.verdict ?? 'deny',
    by: state.by ?? 'terminal',
    ...who,
  });
}
