// Which setting of the sandbox lets commands do more.
import type { SandboxMode } from '../protocol/settings/sandbox.ts';

/** From loose to tight: with `on` commands run without a sandbox where there can be none, with `required` nothing runs. */
const tightness: Readonly<Record<SandboxMode, number>> = { off: 0, on: 1, required: 2 };

/** True when `mode` lets commands do more than `other`. */
export const isLooserSandbox = (mode: SandboxMode = 'off', other: SandboxMode = 'off'): boolean =>
  tightness[mode] < tightness[other];
