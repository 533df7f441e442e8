// What the bridge has to know of Claude Code's settings: switches that can shut it out, what sessions override, and hosts
// that are kept from a proxy. Whatever else these files hold, keys and tokens among it, is dropped while they are read.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fixedVariables } from './child-env.ts';
import { pinnedVariables, pins } from './pinned-settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What is of another kind than it should be counts as absent. */
const maybe = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const fields = <T extends z.ZodType>(names: readonly string[], type: T) =>
  Object.fromEntries(names.map((name) => [name, maybe(type)]));

const pinned = [...pinnedVariables, ...fixedVariables].map(({ key }) => key);
const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);

const Known = z.object({
  disableAllHooks: maybe(z.boolean()),
  allowManagedHooksOnly: maybe(z.boolean()),
  allowedHttpHookUrls: maybe(z.array(z.string())),
  channelsEnabled: maybe(z.boolean()),
  permissions: maybe(z.object({ defaultMode: maybe(z.string()) })),
  sandbox: maybe(
    z.object({
      enabled: maybe(z.boolean()),
      autoAllowBashIfSandboxed: maybe(z.boolean()),
      excludedCommands: maybe(z.array(z.unknown())),
      filesystem: maybe(z.object({ disabled: maybe(z.boolean()) })),
    }),
  ),
  env: maybe(
    z.object({
      ...fields([...pinned, 'EDITOR', 'VISUAL', 'NO_PROXY', 'no_proxy'], z.string()),
      // There may be a password in its address.
      ...fields(
        proxies,
        z.string().transform(() => ''),
      ),
    }),
  ),
});

const Contents = z.record(z.string(), z.unknown());

/** Whose a settings file is. `managed`: set by an organisation; the user cannot change it. */
type Level = 'user' | 'folder' | 'managed';

export interface ClaudeSettings extends z.infer<typeof Known> {
  path: string;
  level: Level;
  /** By the keys of `pins`, as the file has them. */
  pinned?: Readonly<Record<string, unknown>>;
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

/** Returns the hosts that all these files together keep away from a proxy, as in `NO_PROXY`. */
export const noProxyOf = (settings: readonly ClaudeSettings[]): string | undefined =>
  settings.map(({ env }) => env?.NO_PROXY ?? env?.no_proxy).findLast((hosts) => hosts !== undefined);

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
    const own = pins.filter(({ key }) => key in file).map(({ key }) => [key, file[key]]);
    return [{ ...Known.parse(file), pinned: Object.fromEntries(own), path, level }];
  } catch {
    return [];
  }
}
