// What in Claude Code's settings keeps its hooks from the bridge, which then sees no answer.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { ClaudeSettings } from '../launch/claude-settings.ts';

/** Each Claude Code posts to a port of its own. */
const places = [
  'http://127.0.0.1:1024/hooks/tell/Stop',
  'http://127.0.0.1:65535/hooks/hold/PermissionRequest',
];

/** Pure. @returns what does so in one file, whenever it is written into it */
export function shutsOut(settings: ClaudeSettings): string | undefined {
  const { level, disableAllHooks, allowManagedHooksOnly, allowedHttpHookUrls } = settings;
  if (level === 'managed' && disableAllHooks) return '`disableAllHooks`';
  if (level === 'managed' && allowManagedHooksOnly) return '`allowManagedHooksOnly`';
  const isLetIn = (url: string) => allowedHttpHookUrls?.some((pattern) => fitsWildcard(pattern, url)) ?? true;
  if (!places.every(isLetIn)) return '`allowedHttpHookUrls` does not name http://127.0.0.1:*/*';
  return undefined;
}

/** The same of one Claude Code, with the file, for a text of whatever kind. @param settings all that it reads */
export function hooksOff(settings: readonly ClaudeSettings[]): string | undefined {
  for (const each of settings) {
    const key = shutsOut(each);
    if (key !== undefined) return `${key.replaceAll('`', '')} in ${each.path}`;
  }
  return undefined;
}

/**
 * The user's own switch. Sessions are started with the opposite, which wins over every file but a managed one (measured on
 * 2.1.332 and 2.1.330), so that no file of the folder can switch the policy off. But hooks that the user has switched off
 * are not to run either: such a user has no session. @returns the file it stands in
 */
export function switchedOff(settings: readonly ClaudeSettings[]): string | undefined {
  const own = settings.findLast(
    ({ level, disableAllHooks }) => level !== 'managed' && disableAllHooks !== undefined,
  );
  return own?.level === 'user' && own.disableAllHooks ? own.path : undefined;
}
