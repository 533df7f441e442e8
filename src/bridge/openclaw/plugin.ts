// The small plugin that names conversation, chat, sender and trigger in headers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Patch } from './provider-entry.ts';

export const pluginId = 'synthesis';

/** Without this OpenClaw does not call the hook that knows the conversation (measured on 2026.9.6). */
export const pluginPatch: Patch = {
  plugins: { entries: { [pluginId]: { enabled: true, hooks: { allowConversationAccess: true } } } },
};

/** The version of the plugin in this package. */
export function pluginVersion(directory: string): string {
  const text = readFileSync(join(directory, 'openclaw.plugin.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
