// Is OpenClaw there, does it know this bridge, and do the two agree? Nothing is changed.
import { provenWords } from '../../domain/views/audit/proven.ts';
import { type Check, ok, warning } from '../../domain/views/check.ts';
import { ConfigView } from './config-view.ts';
import { type OpenClaw, oldestOpenClaw, provenOpenClaw } from './openclaw-cli.ts';
import { OpenClawError } from './openclaw-error.ts';
import { pluginCheck } from './plugin-check.ts';
import {
  type BridgeAddress,
  isFlagged,
  isLabelled,
  isObject,
  modelRef,
  providerId,
  RegisteredProvider,
} from './provider-entry.ts';
import { streamingCheck } from './streaming-check.ts';
import { type VaultServer, vaultServerCheck } from './vault-server.ts';

export interface OpenClawCheckOptions {
  cli: OpenClaw;
  /** Undefined when it is not known: any port, and no bridge runs. */
  bridge: BridgeAddress | undefined;
  /** Content of the token file, undefined when there is none yet. */
  token: string | undefined;
  /** The executable was named by the user, so it has to be there. */
  named: boolean;
  /** Version of the plugin in this package. */
  pluginVersion: string;
  /** How the vault is started as an MCP server. */
  vault: VaultServer;
  /** Milliseconds for one look at the gateway. */
  timeoutMs?: number;
}

const reinstall = 'Run `synthesis openclaw install`.';

/** A machine without OpenClaw is well: it is one client among others. */
export async function openClawChecks(options: OpenClawCheckOptions): Promise<Check[]> {
  const { cli } = options;
  // Each takes OpenClaw 2 s. Where it is missing or too old the first one says so, and the others do not matter.
  const looks = Promise.allSettled([ConfigView.open(cli), cli.validate()]);
  const version = await versionOf(options);
  const [view, validity] = await looks;
  if (typeof version !== 'string') return [version];
  if (view.status === 'rejected') throw view.reason;
  if (validity.status === 'rejected') throw validity.reason;
  const back = `openclaw update --tag ${provenOpenClaw}`;
  const range = provenWords(version, { oldest: oldestOpenClaw, proven: provenOpenClaw, back });
  const found = ok('openclaw', `OpenClaw ${version} (${range})`);
  if (!validity.value.valid) {
    const problems = validity.value.problems.join('; ');
    const words = `OpenClaw's configuration is not valid: ${problems}`;
    return [found, warning('openclaw-config', words, 'Run `openclaw doctor --fix`.')];
  }
  return [found, ...(await registration(view.value, options))];
}

/** Its version, or the finding that there is none to talk to. */
async function versionOf({ cli, named }: OpenClawCheckOptions): Promise<string | Check> {
  try {
    return await cli.version();
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error;
    const { code, message, suggestion } = error;
    if (code === 'openclaw_missing' && !named)
      return ok('openclaw', `${message} It is only needed where it runs on this machine.`);
    return warning('openclaw', message, suggestion);
  }
}

async function registration(view: ConfigView, options: OpenClawCheckOptions): Promise<Check[]> {
  const registered = await view.get('models', 'providers', providerId);
  if (registered === undefined)
    return [ok('provider', 'OpenClaw does not use this bridge yet: `synthesis openclaw install`.')];
  const provider = RegisteredProvider.safeParse(registered);
  if (!provider.success) return [warning('provider', 'Its entry in OpenClaw is unreadable.', reinstall)];
  const checks = await Promise.all([
    providerCheck(provider.data, view, options),
    modelCheck(view),
    gatewayCheck(view, options.timeoutMs ?? 3000),
    pluginCheck(view, options.cli, options.pluginVersion),
    streamingCheck(view),
    vaultServerCheck(view, options.vault),
  ]);
  return checks.flat();
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
  if (!isLabelled(provider)) {
    const words =
      'Its requests do not say that they are of OpenClaw (the header x-openclaw-provider), so the description of a sticker, for example, looks like a conversation of its own.';
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
  if (mode === undefined)
    return warning(name, 'OpenClaw has not been set up yet.', 'Run `openclaw onboard --auth-choice skip`.');
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
