import { readFileSync } from 'node:fs';
import { z } from 'zod';

const HookHandler = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), command: z.string(), timeout: z.number().positive().optional() }),
  z.object({
    type: z.literal('http'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).optional(),
    allowedEnvVars: z.array(z.string()).optional(),
    timeout: z.number().positive().optional(),
  }),
]);
export type HookHandler = z.infer<typeof HookHandler>;

const HookGroup = z.object({ matcher: z.string().optional(), hooks: z.array(HookHandler) });
export type HookGroup = z.infer<typeof HookGroup>;

const Permissions = z.object({
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  defaultMode: z.string().optional(),
});

/** The part of Claude Code's settings that the simulated one honours; the rest is accepted and ignored. */
export const Settings = z.looseObject({
  hooks: z.record(z.string(), z.array(HookGroup)).optional(),
  permissions: Permissions.optional(),
  statusLine: z.object({ type: z.literal('command'), command: z.string() }).optional(),
  disableAgentView: z.boolean().optional(),
});
export type Settings = z.infer<typeof Settings>;

const StdioEntry = z.object({
  type: z.literal('stdio').optional(),
  command: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Hard limit of one call, milliseconds. */
  timeout: z.number().positive().optional(),
});
export type StdioEntry = z.infer<typeof StdioEntry>;
const HttpEntry = z.object({
  type: z.literal('http'),
  url: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  timeout: StdioEntry.shape.timeout,
});
export type HttpEntry = z.infer<typeof HttpEntry>;
const McpServerEntry = z.union([HttpEntry, StdioEntry]);
export type McpServerEntry = z.infer<typeof McpServerEntry>;
const McpConfig = z.object({ mcpServers: z.record(z.string(), McpServerEntry) });

export type Loaded<T> = { ok: true; value: T } | { ok: false; message: string };

/**
 * Reads `--settings` values (a path or inline JSON each): the last one counts (measured on 2.1.332). The user's own file
 * lies under it, and hooks of both stay. One that cannot be read is taken for none: its dialog is not played here.
 */
export function loadSettings(sources: string[], userFile?: string): Loaded<Settings> {
  const own = Settings.safeParse(parseJson((userFile !== undefined && readSource(userFile)) || '{}'));
  const user = own.success ? own.data : {};
  const source = sources.at(-1);
  if (source === undefined) return { ok: true, value: user };
  const text = readSource(source);
  if (text === undefined) return { ok: false, message: `Error: Settings file not found: ${source}` };
  const parsed = Settings.safeParse(parseJson(text));
  return parsed.success
    ? { ok: true, value: merge(user, parsed.data) }
    : { ok: false, message: 'Settings Error' };
}

/** Reads `--mcp-config` values. `${VAR}` in them is expanded from `env`. */
export function loadMcpConfig(
  sources: string[],
  env: NodeJS.ProcessEnv,
): Loaded<Map<string, McpServerEntry>> {
  const servers = new Map<string, McpServerEntry>();
  const failure = (detail: string) => ({
    ok: false as const,
    message: `Error: Invalid MCP configuration: ${detail}`,
  });
  for (const source of sources) {
    const text = readSource(source);
    if (text === undefined) return failure(`MCP config file not found: ${source}`);
    const parsed = McpConfig.safeParse(parseJson(text));
    if (!parsed.success) return failure(parsed.error.issues[0]?.message ?? 'not valid');
    for (const [name, entry] of Object.entries(parsed.data.mcpServers))
      servers.set(name, expandEntry(entry, env));
  }
  return { ok: true, value: servers };
}

function expandEntry(entry: McpServerEntry, env: NodeJS.ProcessEnv): McpServerEntry {
  const expand = (text: string) =>
    text.replace(
      /\$\{(\w{1,100})(?::-([^}]{0,500}))?\}/g,
      (_, name: string, fallback?: string) => env[name] ?? fallback ?? '',
    );
  const expandEach = (texts: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, expand(value)]));
  if (entry.type === 'http') return { ...entry, url: expand(entry.url), headers: expandEach(entry.headers) };
  return {
    ...entry,
    command: expand(entry.command),
    args: entry.args?.map(expand),
    env: expandEach(entry.env),
  };
}

function merge(under: Settings, over: Settings): Settings {
  const hooks = { ...under.hooks };
  for (const [event, groups] of Object.entries(over.hooks ?? {}))
    hooks[event] = [...(hooks[event] ?? []), ...groups];
  const lists = (key: 'allow' | 'deny' | 'ask') => [
    ...(under.permissions?.[key] ?? []),
    ...(over.permissions?.[key] ?? []),
  ];
  return {
    ...under,
    ...over,
    hooks,
    permissions: { allow: lists('allow'), deny: lists('deny'), ask: lists('ask') },
  };
}

function readSource(source: string): string | undefined {
  if (source.trimStart().startsWith('{')) return source;
  try {
    return readFileSync(source, 'utf8');
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
