// What `synthesis openclaw …` and `doctor` do with OpenClaw, wired to this bridge's address, token and plugin.
import { fileURLToPath } from 'node:url';
import { claimDirectory } from '../base/files/own-path.ts';
import { readPrivate } from '../base/files/private-file.ts';
import type { Check } from '../domain/views/check.ts';
import type { Config } from '../protocol/settings/config.ts';
import { openClawChecks } from './openclaw/checks.ts';
import { type Installed, install } from './openclaw/install.ts';
import { OpenClawCli } from './openclaw/openclaw-cli.ts';
import { OpenClawError } from './openclaw/openclaw-error.ts';
import { pluginVersion } from './openclaw/plugin.ts';
import type { BridgeAddress } from './openclaw/provider-entry.ts';
import { type Uninstalled, uninstall } from './openclaw/uninstall.ts';
import type { VaultServer } from './openclaw/vault-server.ts';
import { bridgeToken, bridgeTokenFile } from './tokens/bridge-token.ts';

export { OpenClawError } from './openclaw/openclaw-error.ts';

const program = fileURLToPath(new URL('../../bin/synthesis.js', import.meta.url));
const pluginDirectory = fileURLToPath(new URL('../../openclaw-plugin', import.meta.url));

export interface OpenClawSetupOptions {
  config: Config;
  stateDir: string;
  /** The executable of OpenClaw; a JavaScript file is run with this Node. */
  openclaw: string;
  env: Readonly<Record<string, string | undefined>>;
  /** A bridge runs on this state directory, at this address. */
  running: { url: string } | undefined;
}

export interface InstallChoices {
  defaultModel: boolean | undefined;
  withPlugin: boolean;
  withVault: boolean;
  dryRun: boolean;
  notice(words: string): void;
}

/** @throws OpenClawError */
export function installProvider(options: OpenClawSetupOptions, choices: InstallChoices): Promise<Installed> {
  const { defaultModel, withPlugin, withVault, dryRun, notice } = choices;
  if (withVault && !options.config.vault) {
    throw new OpenClawError(
      'no_vault',
      'The configuration names no folder of notes; nothing was changed.',
      'Run `synthesis vault init <folder>` first.',
    );
  }
  const url = addressOf(options);
  if (url === undefined) {
    throw new OpenClawError(
      'no_bridge_address',
      'The configuration says any port, and no bridge runs: its address is not known.',
      'Start it with `synthesis up`, or set `port`; nothing was changed.',
    );
  }
  const stateDir = claimDirectory(options.stateDir);
  return install({
    cli: cliOf(options),
    bridge: { url, tokenFile: bridgeToken(stateDir).file },
    stateDir,
    defaultModel,
    plugin: withPlugin ? pluginDirectory : undefined,
    vault: withVault ? vaultServer(options) : undefined,
    dryRun,
    notice,
  });
}

/** @throws OpenClawError */
export function uninstallProvider(options: OpenClawSetupOptions, dryRun: boolean): Promise<Uninstalled> {
  return uninstall({ cli: cliOf(options), stateDir: options.stateDir, dryRun });
}

/** What OpenClaw and this bridge know of each other. */
export function checkOpenClaw(options: OpenClawSetupOptions, signal?: AbortSignal): Promise<Check[]> {
  const url = addressOf(options);
  const tokenFile = bridgeTokenFile(options.stateDir);
  const bridge: BridgeAddress | undefined = url === undefined ? undefined : { url, tokenFile };
  return openClawChecks({
    cli: cliOf(options, signal),
    bridge,
    named: options.openclaw !== 'openclaw',
    token: readPrivate(tokenFile)?.trim(),
    pluginVersion: pluginVersion(pluginDirectory),
    vault: vaultServer(options),
  });
}

/** It reads the configuration of this program each time that OpenClaw starts it. */
function vaultServer({ stateDir, env }: OpenClawSetupOptions): VaultServer {
  const { SYNTHESIS_HOME, XDG_CONFIG_HOME } = env;
  const homes = { ...(SYNTHESIS_HOME && { SYNTHESIS_HOME }), ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) };
  const args = [program, 'vault', 'serve', '--state-dir', stateDir];
  return { command: process.execPath, args, ...(Object.keys(homes).length > 0 && { env: homes }) };
}

const cliOf = ({ openclaw, env }: OpenClawSetupOptions, signal?: AbortSignal): OpenClawCli =>
  new OpenClawCli({
    ...(signal && { signal }),
    command: /\.[cm]?[jt]s$/.test(openclaw) ? [process.execPath, openclaw] : [openclaw],
    env,
  });

function addressOf({ config, running }: OpenClawSetupOptions): string | undefined {
  if (running) return running.url;
  return config.port === 0 ? undefined : `http://127.0.0.1:${config.port}`;
}
