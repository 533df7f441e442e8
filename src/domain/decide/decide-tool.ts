import { never } from '../../base/never.ts';
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { AgentReport, CallerCommand } from '../commands.ts';
import { claudeName } from '../policy/call.ts';
import { asks, needsOf, type Ruling, ruleWords } from '../policy/ruling.ts';
import { askEvents, askingAgent, beganBy } from '../question/ask-events.ts';
import { currentTurn, openAsks, runningTurn, type Session, unsettledAsks } from '../state/session.ts';
import { ruledOut } from '../tools/denial.ts';
import { ranEvent } from './decide-permission.ts';
import { type Decision, refuse } from './decision.ts';
import { type Begun, continued, learned, unannounced, whose } from './whose.ts';

type ToolCommand =
  | Extract<CallerCommand, { type: 'tool.answer' | 'tool.expire' | 'tool.progress' }>
  | Extract<AgentReport, { type: 'tool.call' | 'tool.cancel' | 'tool.activity' | 'tool.ruled' }>;

export function decideTool(session: Session, command: ToolCommand): Decision {
  const turn = currentTurn(session);
  const ofTurn = turn ? { turn: turn.id } : {};
  switch (command.type) {
    case 'tool.call':
      return { events: isKnown(session, command.call) ? [] : gate(session, command) };
    case 'tool.ruled': {
      const { type: _, ruling, ...call } = command;
      return { events: [ruled(ofTurn, call, ruling)] };
    }
    case 'tool.cancel':
      return drop(session, command.call, 'Claude cancelled the call');
    case 'tool.expire':
      return drop(session, command.call, 'nobody answered the call in time');
    case 'tool.answer': {
      if (!session.calls.some((open) => open.call === command.call)) return refuse({ code: 'unknown_call' });
      const { call, ok, content, envelope } = command;
      return { events: [{ type: 'tool.answered', call, ok, content, ...(envelope && { envelope }) }] };
    }
    case 'tool.progress': {
      const { call, text } = command;
      const open = session.calls.find((each) => each.call === call);
      if (!open) return refuse({ code: 'unknown_call' });
      return { events: open.progress === text ? [] : [{ type: 'tool.progressed', call, text }] };
    }
    case 'tool.activity':
      return { events: activity(session, command) };
    default:
      return never(command);
  }
}

/** What the main thread does is part of a turn; a turn that rested goes on with it. An agent has none. */
function activity(
  session: Session,
  command: Extract<ToolCommand, { type: 'tool.activity' }>,
): SessionEvent[] {
  const { type: _, prompt, ...told } = command;
  const proof = command.phase === 'started' ? [] : allowed(session, command.tool_use);
  if (command.agent !== undefined) return [{ type: 'activity', ...told }, ...proof];
  const begun = command.phase === 'started' ? placed(session, prompt) : undefined;
  const turn = begun?.turn ?? currentTurn(session)?.id;
  return [
    ...(begun?.events ?? []),
    { type: 'activity', ...(turn !== undefined && { turn }), ...told },
    ...proof,
  ];
}

/** The turn of a tool that begins, with what has to be so before. */
function placed(session: Session, prompt: string | undefined): Begun | undefined {
  const of = whose(session, prompt);
  switch (of.is) {
    case 'running': {
      const { id, phase } = of.turn;
      const resumed: SessionEvent[] = phase.rested ? [{ type: 'turn.resumed', turn: id }] : [];
      return { turn: id, events: [...learned(of.turn, prompt), ...resumed] };
    }
    case 'over':
      return runningTurn(session) ? undefined : continued(session, of.turn, of.prompt);
    case 'unknown':
      return prompt === undefined ? undefined : unannounced(session, prompt);
    default:
      return never(of);
  }
}

const isKnown = (session: Session, call: string): boolean =>
  session.calls.some((open) => open.call === call) || openAsks(session).some((ask) => ask.call === call);

/** Where a call of a lent tool meets the policy: nothing leaves for the hub or a provider but through here. */
function gate(session: Session, command: Extract<ToolCommand, { type: 'tool.call' }>): SessionEvent[] {
  const { call, tool, args, tool_use, agent, provider, ruling, question } = command;
  const turn = agent === undefined ? currentTurn(session) : beganBy(session, agent);
  const joined = {
    ...(turn && { turn: turn.id }),
    ...(tool_use !== undefined && { tool_use }),
    ...(agent !== undefined && { agent }),
  };
  const whose = provider === undefined ? {} : { provider };
  const called: SessionEvent = { type: 'tool.called', call, tool, args, ...joined, ...whose };
  const byRule = ruling.rule === undefined ? [] : [ruled(joined, { tool, input: args }, ruling)];
  if (ruling.decision === 'deny')
    return [...byRule, { type: 'tool.dropped', call, reason: ruledOut(ruling), denied: true }];
  if (!asks(ruling)) return [...byRule, called, ...allowed(session, tool_use)];
  if (wasAllowed(session, command)) return [called, ...allowed(session, tool_use)];
  if (!question || session.asks.some(({ code }) => code === question.code))
    return [{ type: 'tool.dropped', call, reason: 'Denied: nobody can be asked.', denied: true }];
  const needs = needsOf(ruling);
  const about = {
    tool,
    input: args,
    call,
    ...whose,
    rule: ruleWords(ruling),
    ...(needs !== undefined && { needs }),
    ...(agent !== undefined && { agent: askingAgent(session, agent) }),
  };
  return askEvents(session, { ...question, ...about, ...(tool_use !== undefined && { tool_use }) });
}

function ruled(
  { turn, tool_use: joinedUse }: { turn?: string; tool_use?: string },
  { tool, input, tool_use }: { tool: string; input: unknown; tool_use?: string },
  ruling: Ruling,
): SessionEvent {
  const verdict = ruling.decision === 'deny' ? 'deny' : 'allow';
  const use = tool_use ?? joinedUse;
  const id = use === undefined ? {} : { tool_use: use };
  const joined = turn === undefined ? {} : { turn };
  return { type: 'policy.ruled', ...joined, tool, input, ...id, verdict, rule: ruleWords(ruling) };
}

/** Claude Code asked about this very call itself, and somebody said yes. It counts once: the call settles it. */
function wasAllowed(
  session: Session,
  { tool, args, tool_use }: Extract<ToolCommand, { type: 'tool.call' }>,
): boolean {
  return unsettledAsks(session).some(
    ({ toolUse, tool: asked, input, state }) =>
      toolUse !== undefined &&
      toolUse === tool_use &&
      asked === claudeName(tool) &&
      JSON.stringify(input) === JSON.stringify(args) &&
      state.name !== 'asked' &&
      state.verdict === 'allow',
  );
}

function drop(session: Session, call: string, reason: string): Decision {
  const ask = openAsks(session).find((each) => each.call === call);
  if (ask)
    return {
      events: [{ type: 'permission.settled', code: ask.code, outcome: 'superseded', detail: reason }],
    };
  if (!session.calls.some((open) => open.call === call)) return refuse({ code: 'unknown_call' });
  return { events: [{ type: 'tool.dropped', call, reason }] };
}

function allowed(session: Session, toolUse: string | undefined): SessionEvent[] {
  if (toolUse === undefined) return [];
  return (
    unsettledAsks(session)
      // A call that waits for its own question has not run, whoever says so.
      .filter((ask) => ask.toolUse === toolUse && ask.call === undefined)
      .map(ranEvent)
  );
}
