// What Claude Code's own sandbox is told about the shell commands of a session. Each key was tried on 2.1.332 by what it
// changes (test/real/sandbox.test.ts). An empty place in the work folder is a placeholder inside, and stays absent outside.
import { join, relative, resolve, sep } from 'node:path';
import type { SandboxMode } from '../../../protocol/settings/sandbox.ts';

export interface SandboxAccess {
  /** Hosts that commands may connect to, besides the host of the hooks. */
  domains: readonly string[];
  /** Absolute paths that commands cannot read. */
  hidden: readonly string[];
  /** Absolute paths inside of those that they can. */
  shown: readonly string[];
}

/** In the work folder, what runs or instructs later, outside of the sandbox. */
export const lasting: readonly string[] = ['.git/hooks', '.claude', 'CLAUDE.md', 'CLAUDE.local.md'];

/**
 * Returns the value of `sandbox` for `--settings`; the lists of several files are joined.
 * @param hookHost `127.0.0.1:PORT` of the host: with a sandbox, hooks go through its network rule, a dialog for each
 */
export function sandboxSettings(
  mode: SandboxMode,
  cwd: string,
  hookHost: string,
  { domains, hidden, shown }: SandboxAccess,
): Record<string, unknown> {
  if (mode === 'off') return { network: { allowedDomains: [hookHost] } };
  return {
    enabled: true,
    failIfUnavailable: mode === 'required',
    // With this, files of the work folder cannot loosen the sandbox either.
    allowUnsandboxedCommands: false,
    // Else Bash runs without a question, and without a rule of the policy that says why.
    autoAllowBashIfSandboxed: false,
    // Whoever makes a namespace of its own undoes the rules about files.
    allowNestedUserNamespaces: false,
    // What no list names is refused: a dialog for each host would ask about names that nobody can judge.
    network: { allowedDomains: [hookHost, ...domains], strictAllowlist: true, allowAllUnixSockets: false },
    filesystem: {
      disabled: false,
      // A command can always see the folder that it works in.
      denyRead: hidden.filter((path) => !holds(path, cwd)),
      allowRead: shown,
      denyWrite: lasting.map((name) => join(cwd, name)),
    },
  };
}

function holds(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
