// The few switches in Claude Code's settings that can shut the bridge out. Whatever else these files hold, keys and
// tokens among it, is dropped while they are read.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const Switches = z.object({
  disableAllHooks: z.boolean().optional().catch(undefined),
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
  allowedHttpHookUrls: z.array(z.string()).optional().catch(undefined),
  channelsEnabled: z.boolean().optional().catch(undefined),
});

export interface ClaudeSettings extends z.infer<typeof Switches> {
  path: string;
  /** Set by an organisation; the user cannot change it. */
  managed: boolean;
}

/** Documented places of Claude Code 2.1; policies that come from a server are known to Claude Code alone. */
const managedFiles: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/claude-code/managed-settings.json',
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

/** @param folders in which sessions work; the settings of each count there */
export async function claudeSettings(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
  managed = managedFiles[process.platform],
): Promise<ClaudeSettings[]> {
  const user = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  const files = [
    join(user, 'settings.json'),
    ...folders.flatMap((folder) => [
      join(folder, '.claude/settings.json'),
      join(folder, '.claude/settings.local.json'),
    ]),
  ].map((path) => ({ path, managed: false }));
  if (managed) files.push({ path: managed, managed: true });
  return (await Promise.all(files.map((file) => read(file.path, file.managed)))).flat();
}

/** A file that is missing or broken switches nothing; Claude Code itself complains about the latter. */
async function read(path: string, managed: boolean): Promise<ClaudeSettings[]> {
  try {
    return [{ ...Switches.parse(JSON.parse(await readFile(path, 'utf8'))), path, managed }];
  } catch {
    return [];
  }
}
