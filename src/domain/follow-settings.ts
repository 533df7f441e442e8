// What the configuration changes of a session that is there already. What grants nothing more holds from the next start
// of its Claude Code on; what could grant more waits until the operator restarts it.
import type { LaunchOptions } from '../protocol/events/events.ts';
import { isStartFailure } from '../protocol/events/failures.ts';
import { isLooserContain } from './contain-mode.ts';
import { isLooser } from './permission-mode.ts';
import { isLooserSandbox } from './sandbox-mode.ts';
import type { Session } from './state/session.ts';
import type { Turn } from './state/turn.ts';

export interface Settings {
  /** What its Claude Code is started with. */
  launch: LaunchOptions;
  /** What the configuration says, where that is not all in `launch`. */
  waiting?: LaunchOptions;
}

/**
 * A looser mode, sandbox or wall (`contain`) waits, and so does another folder: it is neither tighter nor looser, and Claude Code may have to ask
 * whether it trusts it. Modes of which neither is tighter follow, or what was taken away would go on.
 * @param isUnstarted nothing was begun in its folder, so that there is nothing to be led away from
 */
export function followed(kept: LaunchOptions, said: LaunchOptions, isUnstarted: boolean): Settings {
  const launch = isUnstarted ? { ...said } : { ...said, cwd: kept.cwd };
  const keepsMode = isLooser(said.permissionMode, kept.permissionMode);
  if (keepsMode) {
    launch.permissionMode = kept.permissionMode;
    delete launch.permissionProfile;
  }
  const keepsSandbox = isLooserSandbox(said.sandbox, kept.sandbox);
  if (keepsSandbox && kept.sandbox !== undefined) launch.sandbox = kept.sandbox;
  const keepsContain = isLooserContain(said.contain, kept.contain);
  if (keepsContain && kept.contain !== undefined) launch.contain = kept.contain;
  return keepsMode || keepsSandbox || keepsContain || launch.cwd !== said.cwd
    ? { launch, waiting: said }
    : { launch };
}

/**
 * No Claude has been given a message of it, nor may have been, and none is ready that goes on in the old folder. It is
 * what a conversation is that begins now, and gets the folder that such a one would get.
 */
export const isUnstarted = ({ claude, agent, turns }: Session): boolean =>
  claude?.prompted === false && agent.name !== 'ready' && turns.every(isUnseen);

function isUnseen({ phase }: Turn): boolean {
  if (phase.name === 'settled') return isStartFailure(phase.code);
  return phase.name === 'queued' || (phase.name === 'delivering' && !phase.handed);
}

export const sameSettings = (left: Settings, right: Settings): boolean =>
  sameLaunch(left.launch, right.launch) && sameLaunch(left.waiting, right.waiting);

const sameLaunch = (left: LaunchOptions | undefined, right: LaunchOptions | undefined): boolean =>
  left?.cwd === right?.cwd &&
  left?.permissionMode === right?.permissionMode &&
  left?.permissionProfile === right?.permissionProfile &&
  (left?.sandbox ?? 'off') === (right?.sandbox ?? 'off') &&
  (left?.contain ?? 'off') === (right?.contain ?? 'off') &&
  left?.delivery === right?.delivery &&
  left?.model === right?.model;
