// What holds where no rule fits. Claude Code's own tools are left to its permission mode; the hub's are sorted here,
// because Claude Code is told to let all of them through.
import type { PermissionMode } from '../../protocol/events.ts';
import type { NamedCall } from './call.ts';
import type { Ruling } from './ruling.ts';

/** Tools of OpenClaw's catalogue that look and change nothing, and the bridge's own `reply` (2026.9.6). */
export const readingTools: ReadonlySet<string> = new Set([
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

export function defaultRuling({ tool, lent }: NamedCall, mode: PermissionMode): Ruling {
  if (!lent) return { decision: 'leave', why: 'no rule fits: Claude Code decides, by its permission mode' };
  if (readingTools.has(tool))
    return { decision: 'allow', why: `no rule fits, and the hub's \`${tool}\` changes nothing` };
  if (mode === 'bypassPermissions')
    return { decision: 'allow', why: 'no rule fits, and this session asks nobody (bypassPermissions)' };
  if (mode === 'dontAsk')
    return {
      decision: 'deny',
      why: 'no rule fits, and this session asks nobody (dontAsk)',
      reason: 'this session asks nobody, and no rule of the policy allows it',
    };
  return { decision: 'ask', why: `no rule fits, and the hub's \`${tool}\` may change something` };
}
