// Permission modes in which what the rest of the configuration wants cannot be.
import { type Check, failed, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';

const name = 'modes';

export interface ModePlace {
  mode: PermissionMode;
  /** `whose profile says no other mode`, `of profile "a*"`, behind "sessions". */
  whose: string;
  setting: string;
  /** Keys of the sessions, as the profile has it. */
  match?: string;
}

/** Every mode that sessions are started in by the configuration. */
export function modePlaces({
  permissionMode,
  profiles,
}: Pick<Config, 'permissionMode' | 'profiles'>): ModePlace[] {
  const all = { mode: permissionMode, whose: 'whose profile says no other mode', setting: 'permissionMode' };
  const own = profiles.flatMap(({ match, permissionMode: mode }, at): ModePlace[] =>
    mode
      ? [
          {
            mode,
            whose: `of profile ${JSON.stringify(match)}`,
            setting: `profiles.${at}.permissionMode`,
            match,
          },
        ]
      : [],
  );
  return [all, ...own];
}

interface User {
  /** Effective; undefined where there is none. */
  uid: number | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Pure. */
export function modeFindings(
  config: Pick<Config, 'permissionMode' | 'profiles' | 'policy'>,
  user: User,
): Check[] {
  return modePlaces(config).flatMap((place) => [...asRoot(place, user), ...asksInVain(place, config.policy)]);
}

/** Claude Code 2.1.329 ends at once then, unless it is told that it is in a sandbox. */
function asRoot({ mode, whose, setting }: ModePlace, { uid, env }: User): Check[] {
  if (mode !== 'bypassPermissions' || uid !== 0 || env.IS_SANDBOX === '1') return [];
  return [
    failed(
      name,
      `Claude Code refuses to bypass permissions as root: sessions ${whose} get no answer.`,
      `Run the bridge as another user, or choose another mode: \`synthesis config set ${setting} manual\`.`,
    ),
  ];
}

/** A rule that asks is a refusal where Claude Code asks nobody. */
function asksInVain({ mode, whose, setting, match }: ModePlace, policy: readonly PolicyRule[]): Check[] {
  if (mode !== 'dontAsk') return [];
  const isMeant = ({ session }: PolicyRule) => session === undefined || session === match;
  const rules = policy.flatMap((rule, index) =>
    rule.decision !== 'allow' && rule.decision !== 'deny' && isMeant(rule) ? [index + 1] : [],
  );
  if (rules.length === 0) return [];
  const which =
    rules.length === 1 ? `rule ${rules[0]} of the policy` : `rules ${rules.join(', ')} of the policy`;
  return [
    warning(
      name,
      `By ${which} somebody is to be asked, and sessions ${whose} ask nobody (dontAsk): Claude Code refuses its own tools there.`,
      `Choose a mode that asks: \`synthesis config set ${setting} manual\`; or say \`deny\` in the rule.`,
    ),
  ];
}
