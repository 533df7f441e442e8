import type { SessionEvent } from '../../protocol/events/events.ts';
import { forgetOldest } from './forget.ts';
import { type Ask, keptAsks, type Session } from './session.ts';

/** What became of a permission question. */
export function evolvePermission(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'permission.asked': {
      const ask: Ask = {
        code: event.code,
        tool: event.tool,
        input: event.input,
        expiresAt: event.expires_at,
        cut: event.cut ?? false,
        suggestions: event.suggestions ?? [],
        guesses: 0,
        shownParts: [],
        told: 'nothing',
        state: { name: 'asked' },
        ...(event.turn !== undefined && { turn: event.turn }),
        ...(event.rationale !== undefined && { rationale: event.rationale }),
        ...(event.tool_use !== undefined && { toolUse: event.tool_use }),
        ...(event.needs !== undefined && { needs: event.needs }),
        ...(event.rule !== undefined && { rule: event.rule }),
        ...(event.call !== undefined && { call: event.call }),
        ...(event.provider !== undefined && { provider: event.provider }),
        ...(event.hook !== undefined && { hook: event.hook }),
        ...(event.agent && { agent: event.agent }),
      };
      const settled = session.asks.filter(({ state }) => state.name === 'settled');
      return { ...session, asks: forgetOldest([...session.asks, ask], settled, keptAsks) };
    }
    case 'permission.decided': {
      const { verdict, by, who, reason, scope } = event;
      const said = {
        ...(who !== undefined && { who }),
        ...(reason !== undefined && { reason }),
        ...(scope === 'session' && { scope }),
      };
      return mapAsk(session, event.code, (ask) => ({
        ...ask,
        state: { name: 'decided', verdict, by, ...said },
      }));
    }
    case 'permission.voted':
      return mapAsk(session, event.code, (ask) => ({ ...ask, votes: [...(ask.votes ?? []), event.voter] }));
    case 'permission.guessed':
      return mapAsk(session, event.code, (ask) => ({ ...ask, guesses: ask.guesses + 1 }));
    case 'permission.shown':
      return mapAsk(session, event.code, (ask) => ({ ...ask, shownParts: [...ask.shownParts, event.part] }));
    case 'permission.told':
      return mapAsk(session, event.code, (ask) => ({ ...ask, told: event.what }));
    case 'permission.sent':
      return mapAsk(session, event.code, (ask) =>
        ask.state.name === 'decided' ? { ...ask, state: { ...ask.state, name: 'sent' } } : ask,
      );
    case 'permission.settled':
      return mapAsk(session, event.code, (ask) => ({
        ...ask,
        state: {
          ...ask.state,
          name: 'settled',
          outcome: event.outcome,
          ...(event.detail !== undefined && { detail: event.detail }),
        },
      }));
    default:
      return session;
  }
}

function mapAsk(session: Session, code: string, change: (ask: Ask) => Ask): Session {
  return { ...session, asks: session.asks.map((ask) => (ask.code === code ? change(ask) : ask)) };
}
