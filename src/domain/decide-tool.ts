import { never } from '../base/never.ts';
import type { SessionEvent } from '../protocol/events.ts';
import type { AgentReport, CallerCommand } from './commands.ts';
import { ranEvent } from './decide-permission.ts';
import { type Decision, nothing, refuse } from './decision.ts';
import { currentTurn, type Session, unsettledAsks } from './session.ts';

type ToolCommand =
  | Extract<CallerCommand, { type: 'tool.answer' }>
  | Extract<AgentReport, { type: 'tool.call' | 'tool.cancel' | 'tool.activity' }>;

export function decideTool(session: Session, command: ToolCommand): Decision {
  const turn = currentTurn(session);
  const ofTurn = turn ? { turn: turn.id } : {};
  switch (command.type) {
    case 'tool.call': {
      const { call, tool, args, tool_use } = command;
      if (session.calls.some((open) => open.call === call)) return nothing;
      const joined = tool_use === undefined ? {} : { tool_use };
      return {
        events: [
          { type: 'tool.called', ...ofTurn, call, tool, args, ...joined },
          ...allowed(session, tool_use),
        ],
      };
    }
    case 'tool.cancel':
      return drop(session, command.call, 'Claude cancelled the call');
    case 'tool.answer': {
      if (!session.calls.some((open) => open.call === command.call)) return refuse({ code: 'unknown_call' });
      const { call, ok, content } = command;
      return { events: [{ type: 'tool.answered', call, ok, content }] };
    }
    case 'tool.activity': {
      const { type: _, ...activity } = command;
      const proof = command.phase === 'started' ? [] : allowed(session, command.tool_use);
      return { events: [{ type: 'activity', ...ofTurn, ...activity }, ...proof] };
    }
    default:
      return never(command);
  }
}

function drop(session: Session, call: string, reason: string): Decision {
  if (!session.calls.some((open) => open.call === call)) return refuse({ code: 'unknown_call' });
  return { events: [{ type: 'tool.dropped', call, reason }] };
}

function allowed(session: Session, toolUse: string | undefined): SessionEvent[] {
  if (toolUse === undefined) return [];
  return unsettledAsks(session)
    .filter((ask) => ask.toolUse === toolUse)
    .map(ranEvent);
}
