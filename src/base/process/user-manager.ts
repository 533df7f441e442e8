// systemd's manager of this user (`systemd --user`), and how long it is there. Nobody is asked: a few looks at files.
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

export interface UserManager {
  /** `XDG_RUNTIME_DIR` of what talks to it. */
  runtimeDir: string;
  /** It stays when the user's last login is over. */
  lingers: boolean;
  /** This process is in one of its units: it ends when the manager does. */
  hasUs: boolean;
}

/** Its own, and the bus on which it is as well. */
const sockets = ['systemd/private', 'bus'];

/**
 * @param env without XDG_RUNTIME_DIR, as for a service of the system, the manager is where systemd has it
 * @param root where the system's files are
 * @returns undefined where there is none
 */
export function findUserManager(
  env: Readonly<Record<string, string | undefined>>,
  root = '/',
): UserManager | undefined {
  const uid = String(process.getuid?.());
  const runtimeDir = env.XDG_RUNTIME_DIR || join(root, 'run/user', uid);
  if (process.platform !== 'linux' || !sockets.some((name) => existsSync(join(runtimeDir, name))))
    return undefined;
  return {
    runtimeDir,
    lingers: existsSync(join(root, 'var/lib/systemd/linger', userName())),
    hasUs: unitsOfThis(root).includes(`/user@${uid}.service/`),
  };
}

/** @returns '.none' for a user whom the system does not know by name */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '.none';
  }
}

/** Each line is a hierarchy, with the units from the outermost on. */
function unitsOfThis(root: string): string {
  try {
    return readFileSync(join(root, 'proc/self/cgroup'), 'utf8');
  } catch {
    return '';
  }
}
