import type { ContainMode } from '../../../protocol/settings/contain.ts';
import type { SandboxMode } from '../../../protocol/settings/sandbox.ts';
import { modeName } from '../../permission-mode.ts';
import {
  type AgentState,
  currentTurn,
  openAsks,
  queuedTurns,
  type Session,
  workingAgents,
} from '../../state/session.ts';
import { holdOf } from '../../state/turn.ts';
import { failureOf } from '../../words/failed-start.ts';
import { heldLine } from '../../words/held-text.ts';
import { costUsd } from './session-cost.ts';

/** An agent that Claude runs beside its turns, and that is at work. */
export interface AgentRow {
  /** Claude Code's own name for it. */
  id: string;
  /** What it is for, in Claude's words. */
  title: string | null;
  since: string;
  /** The tool that it began last. */
  doing: string | null;
}

/** What `ps` and the operator's screens show of a session. The stable `--json` shape of `synthesis ps`. */
export interface SessionRow {
  /** First 12 hex digits of the SHA-256 of the key; every command takes a unique prefix of it. */
  id: string;
  key: string;
  /** What the operator calls it; every command takes that, too. */
  label: string | null;
  /** True when the key was guessed from the texts of a client that does not name its conversation. */
  guessed: boolean;
  /** Of the cluster, the machine that it lives on; absent where only one was asked. */
  node?: string;
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
  /** The mode in force, as Claude Code itself tells it: while it does not run, the one it is started with. */
  permission_mode: string | null;
  /**
   * `configuration`, `profile <match>`; `kept`: what the configuration says is looser and waits; `switched from <mode>`:
   * Claude Code was led to another mode than it was started with.
   */
  permission_mode_source: string | null;
  /** Whether its shell commands are to run in Claude Code's sandbox; a reason in `health` says when they do not. */
  sandbox: SandboxMode;
  /** Whether all of Claude Code is to run in bubblewrap; a reason in `health` says when it does not. */
  contain: ContainMode;
  /** What the configuration says and only a restart by the operator takes over. */
  waits_for_restart: {
    permission_mode: string | null;
    cwd: string | null;
    sandbox: SandboxMode | null;
    contain: ContainMode | null;
  } | null;
  /** Who types into Claude's own terminal now. */
  driver: string | null;
  /** When the message that Claude works on was accepted. */
  working_since: string | null;
  /** Oldest first. They work on while the session is idle, and their end begins a turn. */
  agents: AgentRow[];
  /** From Claude Code's status line, as far as it said so. */
  model: string | null;
  context_percent: number | null;
  /** Tokens that lie in Claude's context. */
  context_tokens: number | null;
  /** US dollars that Claude Code says the conversation would cost, all its processes together. */
  cost_usd: number | null;
  /** Why Claude Code is not running, when it failed. */
  failure: string | null;
  /** What was said when it failed: by Claude Code, or about it. */
  failure_words: string | null;
  /** What mends that, a sentence with the command. */
  failure_remedy: string | null;
  opened_at: string;
  touched_at: string;
}

export function sessionRow(session: Session, id: string): SessionRow {
  const { agent, claude } = session;
  const failure = failureOf(session);
  return {
    id,
    key: session.key,
    label: session.label ?? null,
    guessed: session.guessed,
    identity: session.link?.source ?? null,
    ingress: session.ingress ?? null,
    state: stateOf(session, agent),
    claude_session: claude?.id ?? null,
    pid: agent.name === 'ready' ? agent.pid : null,
    delivery: agent.name === 'ready' ? agent.delivery : null,
    health: [...session.health, ...heldHealth(session)],
    queued: queuedTurns(session).length,
    asking: openAsks(session).map((ask) => ask.code),
    cwd: claude?.launch.cwd ?? null,
    ...modeOf(session),
    sandbox: claude?.launch.sandbox ?? 'off',
    contain: claude?.launch.contain ?? 'off',
    waits_for_restart: waitingOf(claude),
    driver: session.lease?.by ?? null,
    working_since: workingSince(session),
    agents: workingAgents(session).map(({ id, title = null, since, doing = null }) => ({
      id,
      title,
      since: new Date(since).toISOString(),
      doing,
    })),
    model: textOf(session.status?.model),
    context_percent: numberOf(session.status?.context_used_percentage),
    context_tokens: numberOf(session.status?.context_tokens),
    cost_usd: costUsd(session.cost),
    failure: failure?.code ?? null,
    failure_words: failure?.words || null,
    failure_remedy: failure?.remedy ?? null,
    opened_at: new Date(session.openedAt).toISOString(),
    touched_at: new Date(session.touchedAt).toISOString(),
  };
}

/** Why the message that is first in line waits, unless that is said of Claude Code itself. */
function heldHealth({ key, claude, turns, health }: Session): SessionRow['health'] {
  const hold = turns.map(holdOf).find((each) => each !== undefined);
  if (!hold || health.some(({ code }) => code === hold.code)) return [];
  return [{ code: hold.code, words: heldLine(hold, key, claude) }];
}

function modeOf({ claude, mode }: Session): Pick<SessionRow, 'permission_mode' | 'permission_mode_source'> {
  if (!claude) return { permission_mode: null, permission_mode_source: null };
  const started = modeName(claude.launch.permissionMode);
  if (mode !== undefined && mode !== started)
    return { permission_mode: mode, permission_mode_source: `switched from ${started}` };
  const { permissionProfile: profile } = claude.launch;
  const source = profile === undefined ? 'configuration' : `profile ${profile}`;
  const kept = waitingOf(claude)?.permission_mode != null;
  return { permission_mode: started, permission_mode_source: kept ? 'kept' : source };
}

function waitingOf(claude: Session['claude']): SessionRow['waits_for_restart'] {
  if (!claude?.waiting) return null;
  const { launch, waiting } = claude;
  const [now, then] = [modeName(launch.permissionMode), modeName(waiting.permissionMode)];
  const { sandbox = 'off', contain = 'off' } = waiting;
  return {
    permission_mode: now === then ? null : then,
    cwd: launch.cwd === waiting.cwd ? null : waiting.cwd,
    sandbox: (launch.sandbox ?? 'off') === sandbox ? null : sandbox,
    contain: (launch.contain ?? 'off') === contain ? null : contain,
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
