import { type AgentState, currentTurn, openAsks, queuedTurns, type Session } from '../session.ts';

/** What `ps` and the operator's screens show of a session. The stable `--json` shape of `synthesis ps`. */
export interface SessionRow {
  /** First 12 hex digits of the SHA-256 of the key; every command takes a unique prefix of it. */
  id: string;
  key: string;
  /** True when the key was guessed from the texts of a client that does not name its conversation. */
  guessed: boolean;
  /** What told OpenClaw's newest request apart; null for other clients. */
  identity: string | null;
  ingress: string | null;
  state: 'stopped' | 'starting' | 'dialog' | 'idle' | 'working' | 'asking' | 'stopping';
  /** Claude Code's session id, for `claude --resume`. */
  claude_session: string | null;
  pid: number | null;
  delivery: 'channel' | 'terminal' | null;
  /** Reasons why something works less well than it should. */
  health: { code: string; words: string; info?: boolean }[];
  queued: number;
  /** Codes of the permission questions that wait for a human. */
  asking: string[];
  cwd: string | null;
  permission_mode: string | null;
  /** Who types into Claude's own terminal now. */
  driver: string | null;
  /** When the message that Claude works on was accepted. */
  working_since: string | null;
  /** From Claude Code's status line, as far as it said so. */
  model: string | null;
  context_percent: number | null;
  cost_usd: number | null;
  /** Why Claude Code is not running, when it failed. */
  failure: string | null;
  opened_at: string;
  touched_at: string;
}

export function sessionRow(session: Session, id: string): SessionRow {
  const { agent, claude } = session;
  return {
    id,
    key: session.key,
    guessed: session.guessed,
    identity: session.link?.source ?? null,
    ingress: session.ingress ?? null,
    state: stateOf(session, agent),
    claude_session: claude?.id ?? null,
    pid: agent.name === 'ready' ? agent.pid : null,
    delivery: agent.name === 'ready' ? agent.delivery : null,
    health: [...session.health],
    queued: queuedTurns(session).length,
    asking: openAsks(session).map((ask) => ask.code),
    cwd: claude?.launch.cwd ?? null,
    permission_mode: claude?.launch.permissionMode ?? null,
    driver: session.lease?.by ?? null,
    working_since: workingSince(session),
    model: textOf(session.status?.model),
    context_percent: numberOf(session.status?.context_used_percentage),
    cost_usd: numberOf(session.status?.cost_usd),
    failure: failureOf(agent),
    opened_at: new Date(session.openedAt).toISOString(),
    touched_at: new Date(session.touchedAt).toISOString(),
  };
}

function workingSince(session: Session): string | null {
  const turn = currentTurn(session);
  return turn ? new Date(turn.acceptedAt).toISOString() : null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function stateOf(session: Session, agent: AgentState): SessionRow['state'] {
  if (openAsks(session).length > 0) return 'asking';
  if (agent.name !== 'ready') return agent.name;
  return currentTurn(session) ? 'working' : 'idle';
}

function failureOf(agent: AgentState): string | null {
  if (agent.name === 'dialog') return agent.failure;
  return agent.name === 'stopped' ? (agent.failure ?? null) : null;
}
