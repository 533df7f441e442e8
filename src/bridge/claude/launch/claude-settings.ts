// The few switches in Claude Code's settings that can shut the bridge out. Whatever else these files hold, keys and
// tokens among it, is dropped while they are read.
import { readFileSync } from 'node:fs';
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

/** Whose a settings file is. `managed`: set by an organisation; the user cannot change it. */
type Level = 'user' | 'folder' | 'managed';

export interface ClaudeSettings extends z.infer<typeof Switches> {
  path: string;
  level: Level;
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
  const files = settingsFiles(env, folders, managed);
  return (await Promise.all(files.map((file) => read(file.path, file.level)))).flat();
}

/** Returns the files that Claude Code reads in these folders. What counts less comes first. */
export function settingsFiles(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
  managed = managedFiles[process.platform],
): { path: string; level: Level }[] {
  const user = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  const own = folders.flatMap((folder) => [
    join(folder, '.claude/settings.json'),
    join(folder, '.claude/settings.local.json'),
  ]);
  return [
    { path: join(user, 'settings.json'), level: 'user' },
    ...own.map((path) => ({ path, level: 'folder' as const })),
    ...(managed ? [{ path: managed, level: 'managed' as const }] : []),
  ];
}

const Proxies = z.object({
  env: z.object({ NO_PROXY: z.string().optional(), no_proxy: z.string().optional() }),
});

/** Returns the hosts that settings files keep away from a proxy, as in `NO_PROXY`; undefined when none does. */
export function noProxyOf(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): string | undefined {
  const lists = settingsFiles(env, [folder]).map(({ path }) => {
    try {
      const { NO_PROXY, no_proxy } = Proxies.parse(JSON.parse(readFileSync(path, 'utf8'))).env;
      return NO_PROXY ?? no_proxy;
    } catch {
      return undefined;
    }
  });
  return lists.findLast((list) => list !== undefined);
}

/** A file that is missing or broken switches nothing; Claude Code itself complains about the latter. */
async function read(path: string, level: Level): Promise<ClaudeSettings[]> {
  try {
    return [{ ...Switches.parse(JSON.parse(await readFile(path, 'utf8'))), path, level }];
  } catch {
    return [];
  }
}
