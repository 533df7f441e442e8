import type { OpenClawSetupOptions } from '../../bridge/openclaw-setup.ts';
import { diagnosis } from '../../domain/views/check.ts';
import { CliError } from '../cli-error.ts';
import { readBridgeFile } from '../client/control-client.ts';
import { runningBridge } from '../client/running-bridge.ts';
import { readConfig } from '../config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { showCheck } from '../output/words/check-line.ts';
import { configFile } from '../paths.ts';

export interface OpenClawOptions {
  state: string;
  openclaw: string;
  json: boolean;
}

export interface InstallCommand extends OpenClawOptions {
  port?: number;
  defaultModel?: boolean;
  withPlugin: boolean;
  withVault: boolean;
  dryRun: boolean;
}

function setupOf({ state, openclaw }: OpenClawOptions, flags: { port?: number } = {}): OpenClawSetupOptions {
  const config = readConfig(configFile(process.env), process.env, { port: flags.port });
  const running = flags.port === undefined ? readBridgeFile(state) : undefined;
  return { config, stateDir: state, openclaw, env: process.env, running };
}

/** Registers the bridge in OpenClaw. */
export async function openclawInstall(options: InstallCommand): Promise<number> {
  const { json, defaultModel, withPlugin, withVault, dryRun } = options;
  const { installProvider } = await import('../../bridge/openclaw-setup.ts');
  const choices = { defaultModel, withPlugin, withVault, dryRun, notice: say };
  const done = await told(options, async () => installProvider(setupOf(options, options), choices));
  if (json) printJson(done);
  else if (dryRun) showPatches([done.patch], done.config);
  else {
    say(`OpenClaw ${done.openclaw} knows this bridge now (${done.config}).`);
    if (done.default_model) say('It is the default model: every agent without one of its own uses it.');
    else say('Use it for everything with `openclaw models set synthesis/claude`, or name it in one agent.');
    if (done.vault) say('Its agents have the vault, too: `openclaw mcp probe vault` tries it.');
    if (done.plugin) say('The plugin is installed; a running gateway takes it over by itself.');
  }
  return exitCodes.ok;
}

/** Takes it out again. */
export async function openclawUninstall(options: OpenClawOptions & { dryRun: boolean }): Promise<number> {
  const { json, dryRun } = options;
  const { uninstallProvider } = await import('../../bridge/openclaw-setup.ts');
  const done = await told(options, async () => uninstallProvider(setupOf(options), dryRun));
  if (json) printJson(done);
  else if (dryRun) showPatches(done.patches, done.config);
  else if (done.patches.length === 0 && !done.plugin) say('OpenClaw did not know this bridge.');
  else say(`OpenClaw does not know this bridge any more (${done.config}).`);
  if (!json) for (const note of done.notes) say(note);
  return exitCodes.ok;
}

/** What the two know of each other; exit code 7 when something does not fit. */
export async function openclawStatus(options: OpenClawOptions): Promise<number> {
  const { checkOpenClaw } = await import('../../bridge/openclaw-setup.ts');
  const [bridge, found] = await Promise.all([
    runningBridge(options.state),
    told(options, async () => checkOpenClaw(setupOf(options))),
  ]);
  // How its sessions are is not OpenClaw's business.
  const result = diagnosis([...bridge.checks.slice(0, 1), ...found]);
  if (options.json) printJson(result);
  else for (const check of result.checks) showCheck(check);
  return result.status === 'healthy' ? exitCodes.ok : exitCodes.degraded;
}

function showPatches(patches: object[], config: string): void {
  say(`Nothing was changed. This would be merged into ${config}; null removes:`);
  for (const patch of patches) print(JSON.stringify(patch, undefined, 2));
}

/** OpenClaw's refusals are for the person at the terminal. */
async function told<T>({ json }: OpenClawOptions, work: () => Promise<T>): Promise<T> {
  // Each of its commands takes some seconds, during which nothing else is seen.
  if (process.stderr.isTTY && !json) say('Asking OpenClaw …');
  const { OpenClawError } = await import('../../bridge/openclaw-setup.ts');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error;
    throw new CliError('failure', error.code, error.message, error.suggestion);
  }
}
