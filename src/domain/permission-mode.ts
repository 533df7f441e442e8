// Which permission mode is tighter. A partial order: where two modes differ in both respects, neither is.
import type { PermissionMode } from '../protocol/settings/permission-mode.ts';

interface Power {
  /** How much runs without anybody being asked. Each step holds what the one before it does. */
  unasked: number;
  /** Whether a person is asked about the rest, and may allow it; otherwise it is refused. */
  asked: 0 | 1;
}

const powers: Readonly<Record<PermissionMode, Power>> = {
  /** Nothing is changed before somebody has accepted a plan. */
  plan: { unasked: 0, asked: 1 },
  /** What rules allow, as in `manual`; what `manual` would ask about is refused. */
  dontAsk: { unasked: 1, asked: 0 },
  /** What rules allow. */
  manual: { unasked: 1, asked: 1 },
  /** Edits in its folder besides. */
  acceptEdits: { unasked: 2, asked: 1 },
  /** Whatever a classifier takes for safe. */
  auto: { unasked: 3, asked: 1 },
  bypassPermissions: { unasked: 4, asked: 1 },
  default: { unasked: 1, asked: 1 },
};

/** True when `mode` lets happen all that `other` does, and more. */
export function isLooser(mode: PermissionMode, other: PermissionMode): boolean {
  const [left, right] = [powers[mode], powers[other]];
  return (
    left.unasked >= right.unasked &&
    left.asked >= right.asked &&
    left.unasked + left.asked > right.unasked + right.asked
  );
}

/** `default` and `manual` are one mode: hooks say the former, the command line and people the latter. */
export const modeName = (mode: string): string => (mode === 'default' ? 'manual' : mode);
