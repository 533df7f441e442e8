// Everything a Claude Code of a session is started with, from the bridge's options and the user's settings.
import type { AgentSession } from '../../app/ports.ts';
import type { AgentOptions } from '../options.ts';
import { type ClaudeSettings, noProxyOf } from './claude-settings.ts';
import { findExecutable } from './find-executable.ts';
import { type LaunchInput, launchMark } from './launch-spec.ts';
import { memoryPath } from './memory-folder.ts';

/** What is known before there is a host. */
type Inputs = Omit<LaunchInput, 'start' | 'command' | 'token' | 'hooksUrl'>;

/** @param settings Claude Code's, in the folder of the session */
export function launchInput(
  options: AgentOptions,
  session: AgentSession,
  dir: string,
  settings: readonly ClaudeSettings[],
): Inputs {
  const { stateDir, claudeCommand: _command, session: _session, env, ...paths } = options;
  const poster = findExecutable('curl', env.PATH) ? 'curl' : 'node';
  const noHosts = noProxyOf(settings);
  const access = options.accessFor?.(session.key);
  const contain = session.launch.contain ? options.containFor?.(session.key) : undefined;
  return {
    ...paths,
    session,
    inherited: env,
    dir,
    channels: options.channels ?? {},
    poster,
    deny: options.denyFor?.(session) ?? [],
    allow: options.allowFor?.(session.key) ?? [],
    ...(access && { access }),
    ...(contain && { contain }),
    ...(noHosts !== undefined && { noProxy: noHosts }),
    ...(!options.sharesMemory?.(session.key) && { memory: memoryPath(stateDir, session.key) }),
  };
}

/** By the command as it is configured: what it is found to be is another file with every update of Claude Code. */
export function markOf({ claudeCommand: [program = '', ...args] }: AgentOptions, inputs: Inputs): string {
  return launchMark({ ...inputs, start: 'new', command: [program, ...args], token: '', hooksUrl: '' });
}
