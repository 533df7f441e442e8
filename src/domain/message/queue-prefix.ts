import type { QueueMode } from '../../protocol/settings/queue-mode.ts';

/**
 * The mode that a message asks for with its first word, and the message without it; undefined for an ordinary one. No
 * `/`, which hubs keep for commands of their own, and no `!`, which runs a shell in some (OpenClaw, with `commands.bash`).
 *
 * @param text a person's own words, from their first character on
 */
export function readQueuePrefix(text: string): { mode: QueueMode; text: string } | undefined {
  const [prefix, mode] = /^\+(queue|steer|interrupt)\s+(?=\S)/.exec(text) ?? [];
  return prefix === undefined ? undefined : { mode: mode as QueueMode, text: text.slice(prefix.length) };
}
