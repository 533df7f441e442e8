import type { Config } from '../../protocol/settings/config.ts';
import type { ContainMode } from '../../protocol/settings/contain.ts';

/** Every setting of `contain` that sessions are started with by the configuration. */
export function containModes({
  contain,
  profiles,
}: Pick<Config, 'contain' | 'profiles'>): ReadonlySet<ContainMode> {
  const own = profiles.flatMap((profile) => profile.contain ?? []);
  const isUsed = !profiles.some(({ match, contain: mode }) => match === '*' && mode !== undefined);
  return new Set(isUsed ? [contain, ...own] : own);
}

/** Whether nothing of Claude Code ever runs outside: with `on` it does where it cannot be contained. */
export const isAlwaysContained = (config: Parameters<typeof containModes>[0]): boolean =>
  [...containModes(config)].every((mode) => mode === 'required');
