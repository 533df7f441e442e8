// tools add: one more provider in the configuration, and in the bridge if one runs.
import type { ProviderDetail, ProviderView } from '../../../domain/views/tools.ts';
import { CliError } from '../../cli-error.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile } from '../../paths.ts';
import { doubtsOf } from './doubts.ts';
import { type EntryFlags, entryOf } from './entry.ts';
import { lookMs } from './known.ts';
import { type Applied, apply, withLive } from './live.ts';
import { changed, namesOf, readProviders } from './provider-file.ts';

export interface AddOptions extends EntryFlags {
  state: string;
  json: boolean;
}

/** What was done. The stable `--json` shape. */
interface Added {
  added: string;
  file: string;
  /** A bridge runs. */
  running: boolean;
  /** It has the provider now. */
  applied: boolean;
  provider: ProviderView | null;
  refused: ProviderDetail['refused'];
  warnings: string[];
  /** Why it was not applied. */
  problem: string | null;
}

export async function toolsAdd({ state, json, ...flags }: AddOptions): Promise<number> {
  const { name } = flags;
  const path = configFile(process.env);
  const entry = entryOf(flags, process.env, process.cwd());
  const file = readProviders(path);
  if (namesOf(file).includes(name)) throw taken(name, path);
  const { providers, write } = changed(file, [...file.entries, entry]);
  return withLive(state, async (bridge) => {
    write();
    const provider = providers.find((each) => each.name === name);
    const warnings = provider ? doubtsOf(provider, process.env.PATH ?? '', process.cwd()) : [];
    if (!json) for (const words of warnings) say(`Warning: ${words}`);
    if (bridge && !json && process.stderr.isTTY) say(`Trying ${name} …`);
    const applied = bridge && (await apply(bridge, providers, name));
    const added = { added: name, file: path, warnings, ...(await outcome(bridge, name, applied)) };
    if (json) printJson(added);
    else show(added, applied?.ok ? applied.words : null);
    return exitCodes[exitOf(added)];
  });
}

async function outcome(
  bridge: RpcConnection | undefined,
  name: string,
  applied: Applied | undefined,
): Promise<Pick<Added, 'running' | 'applied' | 'provider' | 'refused' | 'problem'>> {
  const none = { running: bridge !== undefined, applied: false, provider: null, refused: [], problem: null };
  if (!bridge || !applied) return none;
  if (!applied.ok) return { ...none, problem: applied.problem };
  const provider = applied.views.find((each) => each.provider === name) ?? null;
  return {
    ...none,
    applied: true,
    provider,
    refused: provider?.refused ? await refusedOf(bridge, name) : [],
  };
}

/** Which they are is a kindness: that there are some is known. */
async function refusedOf(bridge: RpcConnection, provider: string): Promise<ProviderDetail['refused']> {
  try {
    return (await bridge.call('tools.inspect', { provider }, { timeoutMs: lookMs })).refused;
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

function exitOf({ running, applied, provider }: Added): 'ok' | 'failure' | 'degraded' {
  if (!running) return 'ok';
  if (!applied) return 'failure';
  return provider?.status === 'healthy' ? 'ok' : 'degraded';
}

function show(added: Added, besides: string | null): void {
  const { added: name, file, running, applied, provider, refused, problem } = added;
  if (!running)
    return say(`Written to ${file}. No bridge runs: it is started with the next \`synthesis up\`.`);
  if (!applied) {
    say(`Written to ${file}, but the running bridge did not take it over: ${safeLine(problem ?? '')}`);
    return say(
      `Start the bridge again (\`synthesis down\`, \`synthesis up\`), or take it back: synthesis tools remove ${name}`,
    );
  }
  say(`Written to ${file}, and taken over by the running bridge.`);
  say(provider ? statusWords(provider) : `It does not name ${name}, though: synthesis tools list`);
  for (const { tool, why } of refused) say(`Refused: ${safeLine(tool)}: ${safeLine(why)}`);
  if (besides !== null) say(safeLine(besides));
}

function statusWords({ provider, status, reason, tools, refused }: ProviderView): string {
  const count = tools === 1 ? 'one tool' : tools === 0 ? 'no tool' : `${tools} tools`;
  const less = refused > 0 ? `, ${refused} refused` : '';
  if (status === 'healthy') return `${provider} is healthy: Claude gets ${count} of it${less}.`;
  const why = reason === null ? '' : `: ${safeLine(reason)}`;
  return `${provider} is ${status}${why} (${count}${less}). It stays in the configuration and is tried again; what it printed: synthesis tools inspect ${provider}`;
}

const taken = (name: string, path: string): CliError =>
  new CliError(
    'usage',
    'provider_exists',
    `There is a provider "${name}" in ${path}. Nothing was changed.`,
    `Choose another name, or take that one out first: synthesis tools remove ${name}`,
  );
