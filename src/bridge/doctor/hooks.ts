// Without hooks the bridge can type a message and never sees the answer.
import { resolve } from 'node:path';
import { fitsWildcard } from '../../base/wildcard.ts';
import { type Check, failed, ok } from '../../domain/views/check.ts';
import { type ClaudeSettings, claudeSettings } from './claude-settings.ts';
import type { Examination } from './examination.ts';

export const hooks: Examination = async ({ config, env, running }) => {
  const settings = await claudeSettings(env, resolve(config.cwd ?? '.'));
  return [hooksCheck(settings, running?.url ?? `http://127.0.0.1:${config.port}`)];
};

/** Pure. The first and the last switch were measured on Claude Code 2.1.329. @param url where the bridge serves, without a slash at the end */
export function hooksCheck(settings: readonly ClaudeSettings[], url: string): Check {
  for (const each of settings) {
    const key = shutsOut(each, url);
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

function shutsOut(settings: ClaudeSettings, url: string): string | undefined {
  const { managed, disableAllHooks, allowManagedHooksOnly, allowedHttpHookUrls } = settings;
  if (disableAllHooks) return '`disableAllHooks`';
  if (managed && allowManagedHooksOnly) return '`allowManagedHooksOnly`';
  const ours = `${url}/hooks/Stop`;
  if (allowedHttpHookUrls && !allowedHttpHookUrls.some((pattern) => fitsWildcard(pattern, ours))) {
    return `\`allowedHttpHookUrls\` does not name ${url}/*`;
  }
  return undefined;
}
