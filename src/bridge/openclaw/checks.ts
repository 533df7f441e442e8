// Is OpenClaw there, does it know this bridge, and do the two agree? Nothing is changed.
import type { Check } from '../../domain/views/check.ts';
import { ConfigView } from './config-view.ts';
import { newestTestedOpenClaw, type OpenClaw } from './openclaw-cli.ts';
import { OpenClawError } from './openclaw-error.ts';
import { pluginId } from './plugin.ts';
import {
  type BridgeAddress,
  isFlagged,
  isObject,
  modelRef,
  providerId,
  RegisteredProvider,
} from './provider-entry.ts';

export interface OpenClawCheckOptions {
  cli: OpenClaw;
  /** Undefined when it is not known: any port, and no bridge runs. */
  bridge: BridgeAddress | undefined;
  /** Content of the token file, undefined when there is none yet. */
  token: string | undefined;
  /** Version of the plugin in this package. */
  pluginVersion: string;
  /** Milliseconds for one look at the gateway. */
  timeoutMs?: number;
}

const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, suggestion: null });
const warning = (name: string, message: string, suggestion: string): Check => ({
  name,
  status: 'warning',
  message,
  suggestion,
});

const reinstall = 'Run `synthesis openclaw install`.';

/** A machine without OpenClaw is well: it is one client among others. */
export async function openClawChecks(options: OpenClawCheckOptions): Promise<Check[]> {
  let version: string;
  try {
    version = await options.cli.version();
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error;
    if (error.code === 'openclaw_missing')
      return [ok('openclaw', `${error.message} It is only needed where it runs on this machine.`)];
    return [warning('openclaw', error.message, error.suggestion)];
  }
  const view = await ConfigView.open(options.cli);
  const found = ok('openclaw', `OpenClaw ${version} (tested with ${newestTestedOpenClaw})`);
  const validity = await options.cli.validate();
  if (!validity.valid) {
    const problems = validity.problems.join('; ');
    const words = `OpenClaw's configuration is not valid: ${problems}`;
    return [found, warning('openclaw-config', words, 'Run `openclaw doctor --fix`.')];
  }
  const registered = await view.get('models', 'providers', providerId);
  if (registered === undefined) {
    return [found, ok('provider', `OpenClaw does not use this bridge yet: \`synthesis openclaw install\`.`)];
  }
  const provider = RegisteredProvider.safeParse(registered);
  if (!provider.success)
    return [found, warning('provider', 'Its entry in OpenClaw is unreadable.', reinstall)];
  return [
    found,
    await providerCheck(provider.data, view, options),
    await modelCheck(view),
    await gatewayCheck(view, options.timeoutMs ?? 3000),
    ...(await pluginCheck(view, options)),
  ];
}

async function providerCheck(
  provider: RegisteredProvider,
  view: ConfigView,
  { bridge, token }: OpenClawCheckOptions,
): Promise<Check> {
  const name = 'provider';
  const { baseUrl = 'nothing', apiKey, timeoutSeconds } = provider;
  if (bridge && baseUrl !== `${bridge.url}/v1`) {
    const words = `OpenClaw calls ${baseUrl}, but the bridge is at ${bridge.url}/v1.`;
    return warning(name, words, reinstall);
  }
  const key = await keyProblem(apiKey, view, bridge, token);
  if (key) return warning(name, key, reinstall);
  if (!isFlagged(provider)) {
    const words =
      'Requests do not carry the id of their conversation (compat.supportsPromptCacheKey is not set).';
    return warning(name, words, reinstall);
  }
  if (timeoutSeconds !== undefined) {
    const words = `timeoutSeconds is ${timeoutSeconds}: OpenClaw gives up after that much silence, and Claude may think for longer.`;
    const remedy = `Run \`openclaw config unset models.providers.${providerId}.timeoutSeconds\`.`;
    return warning(name, words, remedy);
  }
  return ok(name, `OpenClaw calls ${baseUrl} with the right token.`);
}

/** The token is a file both read, or a copy that may be out of date. */
async function keyProblem(
  apiKey: unknown,
  view: ConfigView,
  bridge: BridgeAddress | undefined,
  token: string | undefined,
): Promise<string | undefined> {
  if (isObject(apiKey)) {
    if (apiKey.source !== 'file' || apiKey.provider !== providerId) return undefined;
    const path = await view.get('secrets', 'providers', providerId, 'path');
    // Redacted where only OpenClaw itself can read its configuration.
    if (typeof path !== 'string' || path.startsWith('__') || !bridge) return undefined;
    return path === bridge.tokenFile
      ? undefined
      : `OpenClaw reads the token from ${path}, but this bridge keeps it in ${bridge.tokenFile}.`;
  }
  if (typeof apiKey !== 'string' || apiKey === '') return 'OpenClaw has no token for this provider.';
  if (token === undefined || apiKey.startsWith('__') || apiKey.startsWith('$')) return undefined;
  return apiKey === token ? undefined : 'The token in OpenClaw is not the one of this bridge.';
}

async function modelCheck(view: ConfigView): Promise<Check> {
  const model = await view.get('agents', 'defaults', 'model');
  const primary = isObject(model) ? model.primary : model;
  if (String(primary).startsWith(`${providerId}/`))
    return ok('model', `OpenClaw's default model is ${primary}.`);
  return ok('model', `Not the default model of OpenClaw; \`openclaw models set ${modelRef}\` makes it that.`);
}

async function gatewayCheck(view: ConfigView, timeoutMs: number): Promise<Check> {
  const name = 'gateway';
  const gateway = await view.get('gateway');
  const { mode, port } = isObject(gateway) ? gateway : {};
  if (mode === 'remote') return ok(name, 'OpenClaw uses a gateway on another machine.');
  const url = `http://127.0.0.1:${typeof port === 'number' ? port : 18_789}`;
  const ready = await answers(`${url}/readyz`, timeoutMs);
  if (ready) return ok(name, `OpenClaw's gateway answers at ${url}`);
  return warning(name, `No gateway of OpenClaw answers at ${url}`, 'Start it with `openclaw gateway`.');
}

async function answers(url: string, timeoutMs: number): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}

async function pluginCheck(view: ConfigView, { cli, pluginVersion }: OpenClawCheckOptions): Promise<Check[]> {
  const entry = await view.get('plugins', 'entries', pluginId);
  if (entry === undefined) return [];
  const name = 'plugin';
  const remedy = 'Run `synthesis openclaw install --with-plugin`.';
  const state = await cli.plugin(pluginId);
  if (!state) return [warning(name, 'The plugin is configured in OpenClaw but not installed.', remedy)];
  if (!state.enabled) return [warning(name, 'The plugin is switched off in OpenClaw.', remedy)];
  if (state.version !== pluginVersion) {
    const words = `The plugin in OpenClaw is ${state.version ?? 'of no version'}, this release has ${pluginVersion}.`;
    return [warning(name, words, remedy)];
  }
  return [ok(name, `The plugin ${pluginVersion} names conversations and senders.`)];
}
