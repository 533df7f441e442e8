// What in Claude Code's settings keeps its hooks from the bridge, which then sees no answer.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { ClaudeSettings } from '../launch/claude-settings.ts';

/** Each Claude Code posts to a port of its own. */
const places = [
  'http://127.0.0.1:1024/hooks/tell/Stop',
  'http://127.0.0.1:65535/hooks/hold/PermissionRequest',
];

/** Pure. The first and the last switch were measured on Claude Code 2.1.329. @returns what does so in one file */
export function shutsOut(settings: ClaudeSettings): string | undefined {
  const { managed, disableAllHooks, allowManagedHooksOnly, allowedHttpHookUrls } = settings;
  if (disableAllHooks) return '`disableAllHooks`';
  if (managed && allowManagedHooksOnly) return '`allowManagedHooksOnly`';
  const isLetIn = (url: string) => allowedHttpHookUrls?.some((pattern) => fitsWildcard(pattern, url)) ?? true;
  if (!places.every(isLetIn)) return '`allowedHttpHookUrls` does not name http://127.0.0.1:*/*';
  return undefined;
}

/**
 * The same of one Claude Code, with the file, for a text of whatever kind.
 * @param settings all that it reads; what stands later counts more
 */
export function hooksOff(settings: readonly ClaudeSettings[]): string | undefined {
  const switched = settings.findLast(({ disableAllHooks }) => disableAllHooks !== undefined);
  for (const each of settings) {
    const key = shutsOut(each === switched ? each : { ...each, disableAllHooks: undefined });
    if (key !== undefined) return `${key.replaceAll('`', '')} in ${each.path}`;
  }
  return undefined;
}
