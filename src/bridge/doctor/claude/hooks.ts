// Without hooks the bridge can type a message and never sees the answer.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { type Check, failed, ok } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';
import { type ClaudeSettings, claudeSettings } from './claude-settings.ts';

export const hooks: Examination = async ({ config, env }) => {
  const settings = await claudeSettings(env, workFolders(config));
  return [hooksCheck(settings)];
};

/** Pure. The first and the last switch were measured on Claude Code 2.1.329. */
export function hooksCheck(settings: readonly ClaudeSettings[]): Check {
  for (const each of settings) {
    const key = shutsOut(each);
    if (key === undefined) continue;
    const remedy = each.managed ? 'ask your organisation to allow them' : 'change it in that file';
    return failed(
      'hooks',
      `Claude Code's hooks do not reach the bridge: ${key} in ${each.path}.`,
      `Without hooks the bridge sees no answer: ${remedy}.`,
    );
  }
  return ok('hooks', "Nothing in Claude Code's settings keeps its hooks from the bridge.");
}

/** Each Claude Code posts to a port of its own. */
const places = [
  'http://127.0.0.1:1024/hooks/tell/Stop',
  'http://127.0.0.1:65535/hooks/hold/PermissionRequest',
];

function shutsOut(settings: ClaudeSettings): string | undefined {
  const { managed, disableAllHooks, allowManagedHooksOnly, allowedHttpHookUrls } = settings;
  if (disableAllHooks) return '`disableAllHooks`';
  if (managed && allowManagedHooksOnly) return '`allowManagedHooksOnly`';
  const isLetIn = (url: string) => allowedHttpHookUrls?.some((pattern) => fitsWildcard(pattern, url)) ?? true;
  if (!places.every(isLetIn)) return '`allowedHttpHookUrls` does not name http://127.0.0.1:*/*';
  return undefined;
}
