// Which setting of `contain` lets Claude Code do more.
import type { ContainMode } from '../protocol/settings/contain.ts';

/** From loose to tight: with `on` Claude Code runs as you where it cannot be contained, with `required` nothing runs. */
const tightness: Readonly<Record<ContainMode, number>> = { off: 0, on: 1, required: 2 };

/** True when `mode` lets Claude Code do more than `other`. */
export const isLooserContain = (mode: ContainMode = 'off', other: ContainMode = 'off'): boolean =>
  tightness[mode] < tightness[other];
