// The sandbox of sessions, proven by making one. What Claude Code itself holds in it, its tests prove: doctor starts none.
import { type Check, warning } from '../../../domain/views/check.ts';
import { claudeSettings } from '../../claude/launch/claude-settings.ts';
import { sandboxFault } from '../../claude/sandbox/sandbox-fault.ts';
import { sandboxChecks, sandboxModes } from '../../setup/sandbox.ts';
import type { Examination } from '../examination.ts';
import { workFolders } from '../settings/work-folders.ts';

export const sandbox: Examination = async ({ config, env }) => {
  const folders = workFolders(config);
  const found = await sandboxChecks(config, folders, env);
  return sandboxModes(config).has('off') ? [...found, ...(await usersOwn(env, folders))] : found;
};

/** The user has switched Claude Code's own on, and it would not be there. */
async function usersOwn(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
): Promise<Check[]> {
  const settings = await claudeSettings(env, folders);
  const own = settings.findLast((each) => each.sandbox?.enabled);
  const fault = own && (await sandboxFault(env, settings));
  return fault
    ? [
        warning(
          'sandbox',
          `The sandbox of ${own.path} does not hold every command. ${fault.words}`,
          fault.remedy,
        ),
      ]
    : [];
}
