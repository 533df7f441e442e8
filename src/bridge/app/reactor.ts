import { never } from '../../base/never.ts';
import type { Effect } from '../../domain/effects.ts';
import { findTurn, type Session } from '../../domain/state/session.ts';
import type { AgentPort, AgentSession, ToolPort } from './ports.ts';
import { promptOf } from './prompt-of.ts';

/** Who carries effects out. */
export interface Performers {
  agent: AgentPort;
  tools: ToolPort;
}

/** Turns effects into calls of the ports. The only place that reads the session on their behalf. */
export function react({ agent, tools }: Performers, session: Session, effect: Effect): void {
  switch (effect.type) {
    case 'deliver': {
      const turn = findTurn(session, effect.turn);
      const target = agentSession(session);
      // A turn that was cancelled between its event and its effect is not handed over any more.
      if (!turn || !target || turn.phase.name !== 'delivering') return;
      agent.deliver(target, promptOf(turn, effect.attempt));
      return;
    }
    case 'start': {
      const target = agentSession(session);
      if (target) agent.start(target);
      return;
    }
    case 'interrupt':
      return agent.interrupt(session.key);
    case 'stop':
      return agent.stop(session.key, effect.reason);
    case 'answer_permission': {
      const { code, verdict, by, reason, scope } = effect;
      return agent.answerPermission(session.key, {
        code,
        verdict,
        by,
        scope,
        ...(reason !== undefined && { reason }),
      });
    }
    case 'answer_tool':
      return agent.answerTool(session.key, effect.call, effect.ok, effect.content, effect.envelope);
    case 'run_tool': {
      // A call that was dropped between its event and its effect is not run any more.
      const call = session.calls.find((open) => open.call === effect.call);
      if (call) tools.run(session.key, call);
      return;
    }
    case 'cancel_tool':
      return tools.cancel(effect.call);
    case 'set_tools':
      return agent.setTools(session.key, [...session.tools]);
    default:
      return never(effect);
  }
}

/** @returns undefined for a session that has no Claude session yet */
export function agentSession(session: Session): AgentSession | undefined {
  if (!session.claude) return undefined;
  const { id, launch, prompted } = session.claude;
  return { key: session.key, claude: id, resume: prompted, launch, tools: [...session.tools] };
}
