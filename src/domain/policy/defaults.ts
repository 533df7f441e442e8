// What holds where no rule fits. Claude Code's own tools are left to its permission mode; the hub's
// and the providers' are sorted here, because Claude Code is told to let all of them through.
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { Call, NamedCall } from './call.ts';
import type { Ruling } from './ruling.ts';

/** Tools of OpenClaw's catalogue that look and change nothing, and the bridge's own `reply` (2026.9.6). */
const readingTools: ReadonlySet<string> = new Set([
  'agents_list',
  'agents_wait',
  'ask_user',
  'conversations_list',
  'get_goal',
  'github_identity_status',
  'ls',
  'memory_get',
  'memory_search',
  'read',
  'reply',
  'session_status',
  'sessions_history',
  'sessions_list',
  'sessions_search',
  'sessions_yield',
  'tool_describe',
  'tool_search',
  'view_image',
  'web_search',
]);

/** The rest of the catalogue: they change something, or reach out of the machine. What is not named here asks, too. */
const changingTools =
  `apply_patch automations browser canvas computer conversations_send conversations_turn create_goal
  dashboard edit exec gateway message mobile_ui node_inference nodes openclaw plugins portal process progress_card secrets
  sessions sessions_send sessions_spawn skill_workshop subagents terminal theme tool_call transcripts tts update_goal
  web_fetch write`.split(/\s+/);

/** Every tool of OpenClaw's that is known by name. */
export const catalogue: ReadonlySet<string> = new Set([...readingTools, ...changingTools]);

export function defaultRuling(call: NamedCall, mode: PermissionMode): Ruling {
  const { tool, lent, provider } = call;
  if (!lent) return { decision: 'leave', why: 'no rule fits: Claude Code decides, by its permission mode' };
  // First: a provider's tool may have the name of one of the hub's.
  if (provider !== undefined) return providersRuling(call, provider, mode);
  if (readingTools.has(tool))
    return { decision: 'allow', why: `no rule fits, and the hub's \`${tool}\` changes nothing` };
  return (
    asksNobody(mode) ?? {
      decision: 'ask',
      why: `no rule fits, and the hub's \`${tool}\` may change something`,
    }
  );
}

/** What it may do is the operator's word; of a tool without one nothing is known. */
function providersRuling({ tool, permissions = [] }: Call, provider: string, mode: PermissionMode): Ruling {
  const more = permissions.filter((permission) => !permission.startsWith('read:'));
  if (permissions.length > 0 && more.length === 0)
    return { decision: 'allow', why: `no rule fits, and \`${tool}\` only reads (${permissions.join(', ')})` };
  const may =
    more.length === 0
      ? 'has no permission that says what it does'
      : `may do more than read (${more.join(', ')})`;
  const why = `no rule fits, and \`${tool}\` of the provider ${provider} ${may}`;
  return asksNobody(mode) ?? { decision: 'ask', why };
}

function asksNobody(mode: PermissionMode): Ruling | undefined {
  if (mode === 'bypassPermissions')
    return { decision: 'allow', why: 'no rule fits, and this session asks nobody (bypassPermissions)' };
  if (mode === 'dontAsk')
    return {
      decision: 'deny',
      why: 'no rule fits, and this session asks nobody (dontAsk)',
      reason: 'this session asks nobody, and no rule of the policy allows it',
    };
  return undefined;
}
