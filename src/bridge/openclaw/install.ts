// Registers the bridge as a provider of OpenClaw, through OpenClaw's own command.
import { type Authored, containers } from './authored-config.ts';
import { ConfigView } from './config-view.ts';
import { type InstallRecord, readRecord, writeRecord } from './install-record.ts';
import type { OpenClaw } from './openclaw-cli.ts';
import { OpenClawError } from './openclaw-error.ts';
import { pluginPatch } from './plugin.ts';
import {
  type BridgeAddress,
  defaultModelPatch,
  isObject,
  mergePatches,
  modelRef,
  type Patch,
  primaryOf,
  providerId,
  providerPatch,
  RegisteredProvider,
} from './provider-entry.ts';
import { isOurs, type VaultServer, vaultServerId, vaultServerPatch } from './vault-server.ts';

export interface InstallOptions {
  cli: OpenClaw;
  bridge: BridgeAddress;
  stateDir: string;
  /** Make it OpenClaw's default model. Undefined: only when OpenClaw has none. */
  defaultModel: boolean | undefined;
  /** Directory of the plugin, undefined to leave it out. */
  plugin: string | undefined;
  /** How the vault is started as an MCP server; undefined to leave it out. */
  vault: VaultServer | undefined;
  dryRun: boolean;
  /** Said before anything is written. */
  notice(words: string): void;
}

export interface Installed {
  openclaw: string;
  config: string;
  /** What was, or with `dryRun` would be, merged into the configuration. */
  patch: Patch;
  default_model: boolean;
  plugin: boolean;
  vault: boolean;
  applied: boolean;
}

/** @throws OpenClawError when nothing was changed, or when what was changed is not accepted. */
export async function install(options: InstallOptions): Promise<Installed> {
  const { cli, bridge, notice } = options;
  const openclaw = await cli.version();
  const [view, before] = await Promise.all([ConfigView.open(cli), cli.validate()]);
  if (!before.valid) throw invalid('is not valid before the change, so nothing was changed', before.problems);
  const registered = await view.get('models', 'providers', providerId);
  if (options.vault) await requireFree(view);
  const model = await view.get('agents', 'defaults', 'model');
  const provider = registered === undefined ? undefined : RegisteredProvider.parse(registered);
  const takeOver = takesOver(options.defaultModel, model);
  const patch = [
    providerPatch(bridge, provider),
    ...(takeOver ? [defaultModelPatch(modelRef)] : []),
    ...(options.plugin === undefined ? [] : [pluginPatch]),
    ...(options.vault === undefined ? [] : [vaultServerPatch(options.vault)]),
  ].reduce(mergePatches);
  const result = {
    openclaw,
    config: view.path,
    patch,
    default_model: takeOver,
    plugin: options.plugin !== undefined,
    vault: options.vault !== undefined,
  };
  const gateway = await view.get('gateway');
  for (const words of warnings(view.authored, provider, gateway)) notice(words);
  if (options.dryRun) {
    await cli.tryPatch(patch);
    return { ...result, applied: false };
  }
  writeRecord(
    options.stateDir,
    recordOf(options, { config: view.path, made: await absent(view), model, takeOver }),
  );
  // The plugin first: its settings are only accepted once it is there.
  if (options.plugin !== undefined) await cli.installPlugin(options.plugin);
  await cli.patch(patch);
  const after = await cli.validate();
  if (!after.valid) throw invalid('is not valid after the change', after.problems);
  return { ...result, applied: true };
}

/** @throws OpenClawError `openclaw_conflict` when somebody else's server has the name */
async function requireFree(view: ConfigView): Promise<void> {
  const entry = await view.get('mcp', 'servers', vaultServerId);
  if (entry === undefined || isOurs(entry)) return;
  throw new OpenClawError(
    'openclaw_conflict',
    `OpenClaw has another MCP server that is called ${vaultServerId}; nothing was changed.`,
    `Look at it with \`openclaw mcp show ${vaultServerId}\`; \`openclaw mcp unset ${vaultServerId}\` removes it.`,
  );
}

const takesOver = (wanted: boolean | undefined, model: unknown): boolean =>
  wanted ?? (model === undefined || primaryOf(model) === modelRef);

/** Where OpenClaw itself has to tell, it fills in defaults below `agents`: those are left alone then. */
async function absent(view: ConfigView): Promise<string[]> {
  const asked =
    view.authored.kind === 'json5' ? containers.filter(([first]) => first !== 'agents') : containers;
  const found = await Promise.all(asked.map(async (path) => ({ path, value: await view.get(...path) })));
  return found.filter(({ value }) => value === undefined).map(({ path }) => path.join('.'));
}

interface Found {
  config: string;
  /** Objects that are not there yet. */
  made: string[];
  model: unknown;
  takeOver: boolean;
}

/** A second installation must not take our own entries for the user's. */
function recordOf(options: InstallOptions, found: Found): InstallRecord {
  const known = readRecord(options.stateDir);
  const earlier = known?.config === found.config ? known : undefined;
  const { model } = found;
  const ours = String(primaryOf(model)).startsWith(`${providerId}/`);
  const changed = { default_model: ours || model === undefined ? {} : { before: model } };
  return {
    version: 1,
    config: found.config,
    installed_at: new Date().toISOString(),
    made: [...new Set([...(earlier?.made ?? []), ...found.made])],
    ...(earlier?.default_model ? { default_model: earlier.default_model } : found.takeOver ? changed : {}),
    plugin: options.plugin !== undefined || (earlier?.plugin ?? false),
  };
}

function warnings(authored: Authored, provider: RegisteredProvider | undefined, gateway: unknown): string[] {
  return [
    ...(isObject(gateway) && gateway.mode !== undefined
      ? []
      : [
          'OpenClaw has not been set up yet, so its gateway does not start: run `openclaw onboard --auth-choice skip` after this.',
        ]),
    ...(authored.kind === 'json5'
      ? [
          'OpenClaw rewrites its configuration as plain JSON: comments in it are lost. The file as it is now stays beside it as openclaw.json.bak.',
        ]
      : []),
    ...(provider?.timeoutSeconds === undefined
      ? []
      : [
          `timeoutSeconds of this provider is ${provider.timeoutSeconds}: that is a limit on silence, and Claude may think for longer. Remove it with \`openclaw config unset models.providers.${providerId}.timeoutSeconds\`.`,
        ]),
  ];
}

export function invalid(when: string, problems: string[]): OpenClawError {
  return new OpenClawError(
    'openclaw_config_invalid',
    `OpenClaw's configuration ${when}: ${problems.join('; ') || 'no reason was given'}`,
    'Run `openclaw doctor --fix`, or put openclaw.json.bak back in its place.',
  );
}
