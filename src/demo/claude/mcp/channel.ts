// Claude Code's side of the channel protocol. Pure.
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { never } from '../../../base/never.ts';
import type { Flags } from '../settings/flags.ts';
import type { ChannelRollout } from '../settings/knobs.ts';

export const channelMethod = 'notifications/claude/channel';
export const verdictMethod = 'notifications/claude/channel/permission';
export const askMethod = 'notifications/claude/channel/permission_request';

/** A meta value that is not a string makes the whole event unreadable, and Claude Code drops it silently. */
const ChannelEvent = z.object({ content: z.string(), meta: z.record(z.string(), z.string()).optional() });
export const ChannelVerdict = z.object({ request_id: z.string(), behavior: z.enum(['allow', 'deny']) });
export type ChannelVerdict = z.infer<typeof ChannelVerdict>;

export interface ChannelPrompt {
  /** The prompt as UserPromptSubmit carries it. */
  text: string;
  /** The line on screen. */
  shown: string;
}

/** Turns an event into a prompt, or undefined when it would be dropped. Unusable meta keys are left out. */
export function channelPrompt(server: string, params: unknown): ChannelPrompt | undefined {
  const parsed = ChannelEvent.safeParse(params);
  if (!parsed.success) return undefined;
  const { content, meta = {} } = parsed.data;
  const attributes = Object.entries(meta)
    .filter(([key]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
  const inner = content.replace(/<(?=\/?channel\b)/gi, '&lt;');
  return {
    text: `<channel source="${escapeAttribute(server)}"${attributes.join('')}>\n${inner}\n</channel>`,
    shown: `← ${server}${meta.user ? ` · ${meta.user}` : ''}: ${content}`,
  };
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '&#10;');
}

/** Which channel a server's connection is, if any: the flags must name it and it must declare the capability. */
export function isChannel(server: string, experimental: Record<string, unknown>, flags: Flags): boolean {
  const named =
    flags.devChannels.includes(`server:${server}`) ||
    [...flags.channels, ...flags.devChannels].some((entry) => entry.startsWith(`plugin:${server}@`));
  return named && 'claude/channel' in experimental;
}

/** What the start screen says about channels (wording read off Claude Code 2.1.329). */
export function channelNotices(flags: Flags, rollout: ChannelRollout): string[] {
  const entries = [...flags.devChannels, ...flags.channels];
  if (entries.length === 0) return [];
  const flag = flags.devChannels.length > 0 ? '--dangerously-load-development-channels' : '--channels';
  const list = entries.join(', ');
  const open = `Channels (experimental) messages from ${list} inject directly in this session · restart without ${flag} to stop`;
  switch (rollout) {
    case 'on':
      // It looks the name up in the configuration files only, so a server of --mcp-config earns this line as well.
      return [
        open,
        ...flags.devChannels.map((entry) => `${entry} · no MCP server configured with that name`),
      ];
    case 'off':
      return [`${flag} ignored (${list})`, 'Channels are not currently available'];
    case 'provider':
      return [`${flag} ignored (${list})`, 'Channels are not available on third-party providers'];
    case 'policy':
      return [`${flag} blocked by org policy (${list})`, 'Inbound messages will be silently dropped'];
    case 'pending':
      return [
        `${flag} waiting for your organization's policy (${list})`,
        'Messages are dropped until it loads',
      ];
    case 'allowlist':
      return [open, ...entries.map((entry) => `${entry} · not on the approved channels allowlist`)];
    default:
      return never(rollout);
  }
}

const letters = 'abcdefghijkmnopqrstuvwxyz';

/** Five letters a–z without l, the id under which a permission prompt is relayed. */
export function newRequestId(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
}

/** The start of a tool's input, as a channel sees it: 200 characters at most. */
export function inputPreview(input: unknown): string {
  const text = JSON.stringify(input) ?? '';
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
