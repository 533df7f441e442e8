// What the configuration changes of a session that is there already. What grants nothing more holds from the next start
// of its Claude Code on; what could grant more waits until the operator restarts it.
import type { LaunchOptions } from '../protocol/events.ts';
import { isLooser } from './permission-mode.ts';

export interface Settings {
  /** What its Claude Code is started with. */
  launch: LaunchOptions;
  /** What the configuration says, where that is not all in `launch`. */
  waiting?: LaunchOptions;
}

/**
 * A looser mode waits, and so does another folder: it is neither tighter nor looser, and Claude Code may have to ask
 * whether it trusts it. Modes of which neither is tighter follow, or what was taken away would go on.
 */
export function followed(kept: LaunchOptions, said: LaunchOptions): Settings {
  const launch = { ...said, cwd: kept.cwd };
  const keepsMode = isLooser(said.permissionMode, kept.permissionMode);
  if (keepsMode) {
    launch.permissionMode = kept.permissionMode;
    delete launch.permissionProfile;
  }
  return keepsMode || kept.cwd !== said.cwd ? { launch, waiting: said } : { launch };
}

export const sameSettings = (left: Settings, right: Settings): boolean =>
  sameLaunch(left.launch, right.launch) && sameLaunch(left.waiting, right.waiting);

const sameLaunch = (left: LaunchOptions | undefined, right: LaunchOptions | undefined): boolean =>
  left?.cwd === right?.cwd &&
  left?.permissionMode === right?.permissionMode &&
  left?.permissionProfile === right?.permissionProfile &&
  left?.delivery === right?.delivery &&
  left?.model === right?.model;
