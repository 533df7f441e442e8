// Whether the sandbox that the configuration wants can be there.
import { type Check, failed, ok, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { SandboxMode } from '../../protocol/settings/sandbox.ts';
import { claudeSettings } from '../claude/launch/claude-settings.ts';
import { sandboxFault } from '../claude/sandbox/sandbox-fault.ts';

const name = 'sandbox';

type Env = Readonly<Record<string, string | undefined>>;
type Wanted = Pick<Config, 'sandbox' | 'profiles'>;

/** Every setting of the sandbox that sessions are started with by the configuration. */
export function sandboxModes({ sandbox, profiles }: Wanted): ReadonlySet<SandboxMode> {
  const own = profiles.flatMap((profile) => profile.sandbox ?? []);
  const isUsed = !profiles.some(({ match, sandbox: mode }) => match === '*' && mode !== undefined);
  return new Set(isUsed ? [sandbox, ...own] : own);
}

/** What keeps it from being there. @param folders in which sessions work */
export async function sandboxFindings(
  config: Wanted,
  folders: readonly string[],
  env: Env,
): Promise<Check[]> {
  const modes = sandboxModes(config);
  if (!modes.has('on') && !modes.has('required')) return [];
  const fault = await sandboxFault(env, await claudeSettings(env, folders));
  if (!fault) return [];
  const { words, remedy } = fault;
  return [
    ...(modes.has('required')
      ? [failed(name, `Sessions that require a sandbox get no answer. ${words}`, remedy)]
      : []),
    ...(modes.has('on')
      ? [warning(name, `Sessions with a sandbox run commands without one. ${words}`, remedy)]
      : []),
  ];
}

/** The same, and that all is well where it is. */
export async function sandboxChecks(config: Wanted, folders: readonly string[], env: Env): Promise<Check[]> {
  const found = await sandboxFindings(config, folders, env);
  const modes = sandboxModes(config);
  const isWanted = modes.has('on') || modes.has('required');
  return found.length > 0 || !isWanted
    ? found
    : [
        ok(
          name,
          "Claude Code's sandbox can be used: its programs are there, and a trial sandbox could be made.",
        ),
      ];
}
