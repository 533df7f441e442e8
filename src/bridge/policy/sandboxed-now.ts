import type { Config } from '../../protocol/settings/config.ts';
import { claudeSettings } from '../claude/launch/claude-settings.ts';
import { sandboxFault } from '../claude/sandbox/sandbox-fault.ts';
import { launchOptions } from '../profiles.ts';

/** Whether commands of a session with this key would run in the sandbox, if it were started here now. Never rejects. */
export async function sandboxedNow(
  config: Config & { cwd: string },
  key: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { cwd, sandbox, contain } = launchOptions(config, key);
  if (sandbox === undefined) return false;
  // See `sandboxFault`: as root there is none inside of the other.
  if (contain !== undefined && process.geteuid?.() === 0) return false;
  return (await sandboxFault(env, await claudeSettings(env, [cwd]))) === undefined;
}
