// What the bridge has to know of Claude Code's settings: switches that can shut it out, what sessions override, and hosts
// that are kept from a proxy. Whatever else these files hold, keys and tokens among it, is dropped while they are read.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { pins } from './pinned-settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

const Switches = z.object({
  disableAllHooks: z.boolean().optional().catch(undefined),
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
  allowedHttpHookUrls: z.array(z.string()).optional().catch(undefined),
  channelsEnabled: z.boolean().optional().catch(undefined),
});

const Proxies = z.object({ NO_PROXY: z.string().optional(), no_proxy: z.string().optional() });

const Contents = z.record(z.string(), z.unknown());
type Contents = z.infer<typeof Contents>;

/** Whose a settings file is. `managed`: set by an organisation; the user cannot change it. */
type Level = 'user' | 'folder' | 'managed';

export interface ClaudeSettings extends z.infer<typeof Switches> {
  path: string;
  level: Level;
  /** By the keys of `pins`, as the file has them; absent: it has none. */
  pinned?: Readonly<Record<string, unknown>>;
  /** Hosts that Claude Code keeps away from a proxy, as in `NO_PROXY`. */
  noProxy?: string;
}

/** Documented places of Claude Code 2.1; policies that come from a server are known to Claude Code alone. */
const managedFiles: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/claude-code/managed-settings.json',
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

/** Never rejects. What counts less comes first. @param folders in which sessions work; the settings of each count there */
export async function claudeSettings(
  env: Env,
  folders: readonly string[],
  managed = managedFiles[process.platform],
): Promise<ClaudeSettings[]> {
  const files = settingsFiles(env, folders, managed);
  return (await Promise.all(files.map((file) => read(file.path, file.level)))).flat();
}

/** Returns the hosts that all these files together keep away from a proxy; undefined when none names any. */
export const noProxyOf = (settings: readonly ClaudeSettings[]): string | undefined =>
  settings.findLast(({ noProxy }) => noProxy !== undefined)?.noProxy;

/** The files that Claude Code reads in these folders. */
function settingsFiles(
  env: Env,
  folders: readonly string[],
  managed: string | undefined,
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

/** A file that is missing or broken switches nothing; Claude Code itself complains about the latter. */
async function read(path: string, level: Level): Promise<ClaudeSettings[]> {
  try {
    const file = Contents.parse(JSON.parse(await readFile(path, 'utf8')));
    return [{ ...Switches.parse(file), ...pinnedIn(file), ...noProxyIn(file), path, level }];
  } catch {
    return [];
  }
}

function pinnedIn(file: Contents): Pick<ClaudeSettings, 'pinned'> {
  const own = pins.filter(({ key }) => key in file).map(({ key }) => [key, file[key]]);
  return own.length > 0 ? { pinned: Object.fromEntries(own) } : {};
}

function noProxyIn({ env }: Contents): Pick<ClaudeSettings, 'noProxy'> {
  const { NO_PROXY, no_proxy } = Proxies.safeParse(env).data ?? {};
  const noProxy = NO_PROXY ?? no_proxy;
  return noProxy === undefined ? {} : { noProxy };
}
