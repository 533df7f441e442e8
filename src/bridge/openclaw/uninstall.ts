// Takes the provider out of OpenClaw again and puts back what was there before.
import { readAuthored } from './authored-config.ts';
import { ConfigView } from './config-view.ts';
import { invalid } from './install.ts';
import { type InstallRecord, readRecord, removeRecord } from './install-record.ts';
import type { OpenClaw } from './openclaw-cli.ts';
import { pluginId } from './plugin.ts';
import { isObject, type Patch, primaryOf, providerId, RegisteredProvider } from './provider-entry.ts';
import { removal, replacedBy, restorePatch } from './removal.ts';
import { isOurs, vaultServerId } from './vault-server.ts';

export interface UninstallOptions {
  cli: OpenClaw;
  stateDir: string;
  dryRun: boolean;
}

export interface Uninstalled {
  config: string;
  /** Merged into the configuration one after the other; null removes. Empty when nothing was registered. */
  patches: Patch[];
  plugin: boolean;
  applied: boolean;
  /** What is left for the user to decide. */
  notes: string[];
}

/** @throws OpenClawError */
export async function uninstall({ cli, stateDir, dryRun }: UninstallOptions): Promise<Uninstalled> {
  await cli.version();
  const record = readRecord(stateDir);
  const view = await ConfigView.open(cli);
  const { path: config } = view;
  const registered = await view.get('models', 'providers', providerId);
  const model = await view.get('agents', 'defaults', 'model');
  const agents = await view.get('agents');
  const present = registered !== undefined;
  const plugin = (await view.get('plugins', 'entries', pluginId)) !== undefined;
  const vault = isOurs(await view.get('mcp', 'servers', vaultServerId));
  if (plugin && !dryRun) await cli.uninstallPlugin(pluginId);
  const known = record?.config === config ? record : undefined;
  const patches = removal({
    provider: present ? RegisteredProvider.parse(registered) : undefined,
    plugin,
    vault,
    restore: present ? restorePatch(model, known) : undefined,
    made: known?.made ?? [],
    authored: readAuthored(config),
  });
  const notes = notesOf({ agents, model, known, present });
  const result = { config, patches, plugin, notes };
  if (dryRun) return { ...result, applied: false };
  for (const patch of patches) await cli.patch(patch, replacedBy(patch));
  const after = await cli.validate();
  if (!after.valid) throw invalid('is not valid after the change', after.problems);
  removeRecord(stateDir);
  return { ...result, applied: true };
}

interface Found {
  agents: unknown;
  model: unknown;
  known: InstallRecord | undefined;
  present: boolean;
}

function notesOf({ agents, model, known, present }: Found): string[] {
  if (!present) return [];
  const used = references(isObject(agents) ? { ...agents, defaults: withoutPrimary(agents.defaults) } : {}, [
    'agents',
  ]);
  const unknown = String(primaryOf(model)).startsWith(`${providerId}/`) && !known?.default_model;
  return [
    ...(unknown
      ? [
          'Which default model OpenClaw had before is not known; choose one with `openclaw models set <model>`.',
        ]
      : []),
    ...used.map((path) => `${path} still names a model of this provider; change it.`),
  ];
}

const withoutPrimary = (defaults: unknown): unknown =>
  isObject(defaults) && isObject(defaults.model)
    ? { ...defaults, model: { ...defaults.model, primary: undefined } }
    : isObject(defaults)
      ? { ...defaults, model: undefined }
      : defaults;

/** Paths of the values that name one of our models. */
function references(value: unknown, path: readonly string[]): string[] {
  if (typeof value === 'string') return value.startsWith(`${providerId}/`) ? [path.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => references(inner, [...path, key]));
}
