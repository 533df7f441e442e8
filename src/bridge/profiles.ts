import { resolve } from 'node:path';
import type { Config, Profile } from '../protocol/config.ts';
import type { LaunchOptions } from '../protocol/events.ts';

/** `*` stands for any text, also for none. Everything else is literal. */
export function fits(pattern: string, key: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(key);
}

/** What a session with this key is started with: the first profile that fits, else the defaults. */
export function launchOptions(config: Config & { cwd: string }, key: string): LaunchOptions {
  const profile: Partial<Profile> = config.profiles.find(({ match }) => fits(match, key)) ?? {};
  return {
    cwd: resolve(config.cwd, profile.cwd ?? '.'),
    permissionMode: profile.permissionMode ?? config.permissionMode,
    delivery: profile.delivery ?? config.delivery,
    ...(profile.model !== undefined && { model: profile.model }),
  };
}
