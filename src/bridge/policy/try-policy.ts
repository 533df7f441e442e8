// What the configuration's policy would say to a call, without running anything.
import { homedir } from 'node:os';
import { claudeCall, inSandbox } from '../../domain/policy/call.ts';
import { configuredCall, vaultGrants } from '../../domain/policy/provider-grants.ts';
import { claudeTools } from '../../domain/policy/review.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { PolicyDoor } from '../../protocol/settings/policy.ts';
import { launchOptions, vaultFor } from '../profiles.ts';
import { circumstances, explainOn } from './policy.ts';

export interface Question {
  session: string;
  tool: string;
  input: unknown;
  door?: PolicyDoor;
  /** `id` or `channel:id`. */
  sender?: string;
  unattended: boolean;
  /** Commands of this session run in the sandbox; absent where that is not known. */
  sandboxed?: boolean;
}

/** A name that Claude Code does not have is taken for a tool of a provider that begins it, or else of the hub. */
export function tryPolicy(
  config: Config & { cwd: string },
  question: Question,
  home = homedir(),
): ReturnType<typeof explainOn> {
  const { session, tool, input, door, sender = '', unattended, sandboxed } = question;
  const launch = launchOptions(config, session);
  const [id, channel] = sender.split(':').reverse();
  const about = {
    ...circumstances(session, undefined, launch),
    unattended,
    ...(door && { door }),
    ...(id && { sender: id }),
    ...(channel && { channel }),
  };
  const lent = !claudeTools.has(tool) && !tool.startsWith('mcp__');
  const call = inSandbox(lent ? { tool, input, lent } : claudeCall(tool, input), sandboxed);
  const vaults = vaultFor(config, session) ? [vaultGrants] : [];
  return explainOn(
    config.policy,
    configuredCall([...vaults, ...config.providers], call),
    about,
    launch.cwd,
    home,
  );
}
