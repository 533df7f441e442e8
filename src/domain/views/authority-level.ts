// How far this machine tells what Claude Code starts apart from its user.

/**
 * `apart`: it does. `contained`: it does, and Claude Code reaches neither the bridge nor its user's programs. `root`: it does,
 * and everything runs as root. `missing`: the package that asks the kernel is not installed. `other`: the system has no such
 * calls.
 */
export type AuthorityLevel = 'contained' | 'apart' | 'root' | 'missing' | 'other';

/** What is known of the machine. */
export interface Machine {
  platform: string;
  hasKernel: boolean;
  isRoot: boolean;
  /** Nothing of Claude Code ever runs outside of its container. */
  isContained: boolean;
}

export function authorityLevel({ platform, hasKernel, isRoot, isContained }: Machine): AuthorityLevel {
  if (platform !== 'linux') return 'other';
  if (!hasKernel) return 'missing';
  if (isContained) return 'contained';
  return isRoot ? 'root' : 'apart';
}

/** What holds and what does not, in a sentence or two. */
export const levelWords: Record<AuthorityLevel, string> = {
  contained:
    'What Claude runs reaches neither the bridge nor your other programs, and cannot change your shell. The network, the kernel and what `containLet` names stay.',
  apart: 'What Claude Code starts may stop things and decide nothing; it is no wall.',
  root: 'What Claude Code starts is told apart from you, but runs as root: it can change and read everything, this program as well.',
  missing:
    'The package that asks the kernel which program calls is missing: at a terminal nobody can decide.',
  other:
    'This system does not tell which program calls: whatever runs as you can answer a question, also what Claude Code started.',
};
