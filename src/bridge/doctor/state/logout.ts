import { findUserManager, type UserManager } from '../../../base/process/user-manager.ts';
import { ok } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';

/** What Claude Code outlives. None of it is wrong. */
export const logout: Examination = async ({ env }) => [ok('logout', outlivesWords(findUserManager(env)))];

export function outlivesWords(manager: UserManager | undefined): string {
  if (manager?.lingers)
    return 'Claude Code outlives a crash of the bridge, the end of its service and a logout, in scopes of systemd.';
  const crash = 'Claude Code outlives a crash of the bridge.';
  return manager
    ? `${crash} Linger is off, so your last logout may end it; \`loginctl enable-linger\` changes that.`
    : `${crash} There is no user manager of systemd: what ends all of a service or a login ends it, too.`;
}
