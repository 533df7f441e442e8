// Without hooks the bridge can type a message and never sees the answer.
import { type Check, failed, ok } from '../../../domain/views/check.ts';
import { shutsOut, switchedOff } from '../../claude/hooks/hooks-off.ts';
import { type ClaudeSettings, claudeSettings } from '../../claude/launch/claude-settings.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';

export const hooks: Examination = async ({ config, env }) => {
  const settings = await claudeSettings(env, workFolders(config));
  return [hooksCheck(settings)];
};

/** Pure. */
export function hooksCheck(settings: readonly ClaudeSettings[]): Check {
  const own = switchedOff(settings);
  if (own !== undefined) {
    return failed(
      'hooks',
      `You have switched Claude Code's hooks off: \`disableAllHooks\` in ${own}.`,
      'Without hooks the bridge sees no answer: take the switch out of that file.',
    );
  }
  for (const each of settings) {
    const key = shutsOut(each);
    if (key === undefined) continue;
    const remedy =
      each.level === 'managed' ? 'ask your organisation to allow them' : 'change it in that file';
    return failed(
      'hooks',
      `Claude Code's hooks do not reach the bridge: ${key} in ${each.path}.`,
      `Without hooks the bridge sees no answer: ${remedy}.`,
    );
  }
  return ok('hooks', "Nothing in Claude Code's settings keeps its hooks from the bridge.");
}
