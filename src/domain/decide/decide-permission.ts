import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { Door } from '../../protocol/events/permission-events.ts';
import type { AgentReport, CallerCommand } from '../commands.ts';
import { askEvents, askingAgent, decidedEvents } from '../question/ask-events.ts';
import { chosenOption, dialogOf } from '../question/dialog-question.ts';
import { ranInTerminal } from '../question/outcome.ts';
import { digestOf } from '../question/picture.ts';
import { isShownInChat } from '../question/question-text.ts';
import type { Rejection } from '../rejection.ts';
import { type Ask, openAsks, type Session } from '../state/session.ts';
import { type Decision, nothing, refuse } from './decision.ts';

type PermissionCommand =
  | Extract<
      CallerCommand,
      {
        type:
          | 'permission.decide'
          | 'permission.expire'
          | 'permission.guess'
          | 'permission.tell'
          | 'permission.show';
      }
    >
  | Extract<
      AgentReport,
      { type: 'permission.ask' | 'permission.sent' | 'permission.ran' | 'permission.withdrawn' }
    >;

export function decidePermission(session: Session, command: PermissionCommand): Decision {
  if (command.type === 'permission.ask') return ask(session, command);
  if (command.type === 'permission.guess') return guess(session);
  const found = session.asks.find((known) => known.code === command.code);
  if (!found) return refuse({ code: 'unknown_code' });
  switch (command.type) {
    case 'permission.decide':
      return verdict(found, command);
    case 'permission.expire':
      return verdict(found, {
        type: 'permission.decide',
        code: found.code,
        verdict: 'deny',
        by: 'expiry',
        reason: 'nobody answered in time',
      });
    case 'permission.tell': {
      const { code, what } = command;
      return found.told === 'outcome' || found.told === what
        ? nothing
        : { events: [{ type: 'permission.told', code, what }] };
    }
    case 'permission.show':
      return found.state.name !== 'asked' || found.shownParts.includes(command.part)
        ? nothing
        : { events: [{ type: 'permission.shown', code: found.code, part: command.part }] };
    case 'permission.sent':
      return found.state.name === 'decided'
        ? { events: [{ type: 'permission.sent', code: found.code }] }
        : nothing;
    case 'permission.ran':
      return found.state.name === 'settled' ? nothing : { events: [ranEvent(found)] };
    case 'permission.withdrawn': {
      const { state } = found;
      if (state.name === 'settled') return nothing;
      const { code, detail } = command;
      if (state.name === 'sent' && state.verdict === 'deny')
        return { events: [{ type: 'permission.settled', code, outcome: 'applied' }] };
      return { events: [{ type: 'permission.settled', code, outcome: 'superseded', detail }] };
    }
    default:
      return never(command);
  }
}

/**
 * A tool runs, or has run: the proof that somebody allowed it. Whoever was not first is told so. For a denied tool
 * Claude Code fires neither PostToolUse nor PostToolUseFailure (measured on 2.1.329).
 */
export function ranEvent({ code, state }: Ask): SessionEvent {
  const verdict = state.name === 'decided' || state.name === 'sent' ? state.verdict : undefined;
  return verdict === 'allow'
    ? { type: 'permission.settled', code, outcome: 'applied' }
    : {
        type: 'permission.settled',
        code,
        outcome: 'superseded',
        detail: ranInTerminal,
      };
}

function ask(session: Session, command: Extract<PermissionCommand, { type: 'permission.ask' }>): Decision {
  if (session.asks.some((known) => known.code === command.code)) return refuse({ code: 'code_in_use' });
  const { code, tool, input, rationale, expires_at, tool_use, cut, suggestions } = command;
  const { needs, rule, hook, agent } = command;
  return {
    events: askEvents(session, {
      code,
      tool,
      input,
      expires_at,
      ...(rationale !== undefined && { rationale }),
      ...(tool_use !== undefined && { tool_use }),
      ...(cut && { cut }),
      ...(suggestions && suggestions.length > 0 && { suggestions }),
      ...(needs !== undefined && { needs }),
      ...(rule !== undefined && { rule }),
      ...(hook !== undefined && { hook }),
      ...(agent !== undefined && { agent: askingAgent(session, agent) }),
    }),
  };
}

/** Wrong codes that end a question: 5 of 9,765,625 are a chance of 5e-7 (25^5 codes). */
const mostGuesses = 5;

/** A wrong code counts against every open question: two of them do not double a guesser's chance. */
function guess(session: Session): Decision {
  return {
    events: openAsks(session).flatMap((ask): SessionEvent[] => [
      { type: 'permission.guessed', code: ask.code },
      ...(ask.guesses + 1 < mostGuesses
        ? []
        : decidedEvents(ask, {
            type: 'permission.decided',
            code: ask.code,
            verdict: 'deny',
            by: 'bridge',
            reason: 'too many wrong codes were tried',
            scope: 'once',
          })),
    ]),
  };
}

/**
 * The first verdict wins; every later one hears what was decided, and by whom. What is allowed is what was shown: whoever
 * allows something names it, and in a chat every part of it was shown.
 */
function verdict(found: Ask, command: Extract<PermissionCommand, { type: 'permission.decide' }>): Decision {
  const { state } = found;
  if (state.name === 'asked') {
    const { code, verdict: given, by, who, reason, scope, shown } = command;
    const dialog = given === 'allow' ? dialogOf(found) : undefined;
    const chosen = dialog && chosenOption(dialog, reason ?? '');
    if (dialog && !chosen) return refuse({ code: 'no_option' });
    const said = chosen?.words ?? reason;
    const vote = votes(found, command);
    if ('rejection' in vote) return vote;
    const seen = shown === digestOf(found) && (by !== 'chat' || isShownInChat(found));
    if (given === 'allow' && !seen) return refuse({ code: 'not_shown' });
    if (!vote.enough) return vote;
    return {
      events: [
        ...vote.events,
        ...decidedEvents(found, {
          type: 'permission.decided',
          code,
          verdict: given,
          by,
          scope: scope ?? 'once',
          ...(who !== undefined && { who }),
          ...(said !== undefined && { reason: said }),
          ...(shown !== undefined && { shown }),
        }),
      ],
    };
  }
  const { verdict: given, by, who } = state;
  if (given === undefined || by === undefined)
    return refuse({ code: 'question_over', detail: state.detail ?? 'it is not open any more' });
  return refuse({ code: 'already_answered', verdict: given, by, ...(who !== undefined && { who }) });
}

/** Doors behind which anybody may stand who may answer here; at the others it is the operator, or the bridge itself. */
const shared: ReadonlySet<Door> = new Set<Door>(['chat', 'gateway']);

/** What a verdict counts where the policy says whose yes is needed. The operator's alone is enough, and so is one no. */
function votes(
  { code, needs, votes: given = [] }: Ask,
  { verdict: said, by, voter, who, shown }: Extract<PermissionCommand, { type: 'permission.decide' }>,
): { rejection: Rejection } | { events: SessionEvent[]; enough: boolean } {
  if (needs === undefined || !shared.has(by)) return { events: [], enough: true };
  if (needs === 'operator') return { rejection: { code: 'operator_only' } };
  if (said === 'deny') return { events: [], enough: true };
  if (voter === undefined) return { rejection: { code: 'not_proven' } };
  if (given.includes(voter)) return { rejection: { code: 'voted' } };
  const told = { ...(who !== undefined && { who }), ...(shown !== undefined && { shown }) };
  const voted = { type: 'permission.voted' as const, code, voter, ...told };
  return { events: [voted], enough: given.length + 1 >= needs.quorum };
}
