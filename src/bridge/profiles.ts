import { resolve } from 'node:path';
import { fitsWildcard } from '../base/text/wildcard.ts';
import type { LaunchOptions } from '../protocol/events/events.ts';
import type { Config, MaskMode, Profile, ProgressMode } from '../protocol/settings/config.ts';
import type { QueueMode } from '../protocol/settings/queue-mode.ts';
import type { VaultChoice, VaultSettings } from '../protocol/settings/vault.ts';

const profileFor = (config: Config, key: string): Partial<Profile> => firstFit(config.profiles, key) ?? {};

const firstFit = <P extends { match: string }>(profiles: readonly P[], key: string): P | undefined =>
  profiles.find(({ match }) => fitsWildcard(match, key));

/** Who may answer permission questions of this session in a chat; empty = the asker, in direct chats only. */
export function approvers(config: Config, key: string): readonly string[] {
  return profileFor(config, key).approvers ?? config.approvers;
}

/** What a message of this session does that comes while Claude works. */
export function queueMode(config: Config, key: string): QueueMode {
  return profileFor(config, key).queueMode ?? config.queueMode;
}

/** What the answers of this session say of Claude's tools. */
export function progressMode(config: Config, key: string): ProgressMode {
  return profileFor(config, key).progress ?? config.progress;
}

/** What is masked in what goes out of this session. */
export function maskMode(config: Config, key: string): MaskMode {
  return profileFor(config, key).mask ?? config.mask;
}

/** Whether this session uses Claude Code's own memory of its folder, as every other Claude Code there does. */
export function sharesMemory(config: Config, key: string): boolean {
  return profileFor(config, key).sharedMemory ?? config.sharedMemory;
}

/** Hosts that this session's commands may connect to from the sandbox. */
export function allowedDomains(config: Config, key: string): readonly string[] {
  return profileFor(config, key).allowedDomains ?? config.allowedDomains;
}

/** What this session's Claude Code may write to, and what it reaches, where it is contained. */
export function containChoice(config: Config, key: string): Pick<Config, 'containWrite' | 'containLet'> {
  const { containWrite = config.containWrite, containLet = config.containLet } = profileFor(config, key);
  return { containWrite, containLet };
}

/** On which node of the cluster a conversation with this key is to live; undefined for wherever it begins. */
export const pinnedNode = (config: Config, key: string): string | undefined => profileFor(config, key).node;

/** Whether another node may go on with a conversation with this key when this one is gone. */
export function mayBeTakenOver(config: Config, key: string): boolean {
  // What comes by a gateway comes to the machine that is configured for it.
  if (key.startsWith('agp:')) return false;
  const { node, takeover } = profileFor(config, key);
  return config.cluster !== undefined && node === undefined && (takeover ?? config.cluster.takeover);
}

/** Which notes this session's Claude has; undefined for none. */
export function vaultFor({ vault, profiles }: VaultChoice, key: string): VaultSettings | undefined {
  return (firstFit(profiles, key)?.vault ?? vault) || undefined;
}

/** What a session with this key is started with: the first profile that fits, else the defaults. */
export function launchOptions(config: Config & { cwd: string }, key: string): LaunchOptions {
  const profile = profileFor(config, key);
  const sandbox = profile.sandbox ?? config.sandbox;
  const contain = profile.contain ?? config.contain;
  return {
    cwd: resolve(config.cwd, profile.cwd ?? '.'),
    permissionMode: profile.permissionMode ?? config.permissionMode,
    ...(profile.permissionMode !== undefined &&
      profile.match !== undefined && { permissionProfile: profile.match }),
    ...(sandbox !== 'off' && { sandbox }),
    ...(contain !== 'off' && { contain }),
    delivery: profile.delivery ?? config.delivery,
    ...(profile.model !== undefined && { model: profile.model }),
  };
}
