// vault init: the folder of the notes in the configuration and in a running bridge, and its first index.
import type { Envelope } from '../../../protocol/envelope.ts';
import {
  VaultChoice,
  type VaultSettings,
  vaultProviderAt,
  vaultsOf,
} from '../../../protocol/settings/vault.ts';
import { CliError } from '../../cli-error.ts';
import { exitOf } from '../../envelope-exit.ts';
import { type ExitName, exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile } from '../../paths.ts';
import { apply, withLive } from '../tools/live.ts';
import { sayIndexed } from './index-state/indexed-words.ts';
import { indexed } from './index-state/indexing.ts';
import { commandFor, type VaultOf } from './setup/choice.ts';
import { installed } from './setup/extras.ts';
import { vaultFolder } from './setup/folder.ts';
import { initDoubts } from './setup/init-doubts.ts';
import { type VaultChange, vaultChange } from './setup/vault-file.ts';

export interface InitOptions extends VaultOf {
  folder: string;
  include: string[];
  exclude: string[];
  memories?: string;
  embeddings?: VaultSettings['embeddings'];
  engine?: VaultSettings['engine'];
  /** Of Ollama. */
  model?: string;
  ollama?: string;
  replace: boolean;
  index: boolean;
  json: boolean;
}

/** Where the running bridge is with it. */
interface Told {
  running: boolean;
  applied: boolean;
  /** Why it was not taken over. */
  problem: string | null;
}

export async function vaultInit(options: InitOptions): Promise<number> {
  const { state, profile, replace, json } = options;
  const path = vaultFolder(options.folder);
  const file = configFile(process.env);
  const change = vaultChange(file, { entry: entryOf(path, options), profile, replace });
  const { settings, config } = change;
  const warnings = await initDoubts(settings);
  await installed(state, settings, json);
  const told = await written(state, change);
  if (!json) {
    say(toldWords(told, change.isWritten ? `${file} names it already` : `Written to ${file}`));
    for (const words of warnings) say(`Warning: ${safeLine(words)}`);
  }
  const all = vaultsOf(config);
  const choice = { settings, all, provider: providerOf(change) };
  const envelope = options.index ? await indexed(state, choice, { rebuild: false, quiet: json }) : undefined;
  if (json) printJson({ vault: settings, file, ...told, warnings, index: envelope ?? null });
  else {
    if (envelope) sayIndexed(envelope, profile);
    if (!envelope?.error) say(`Next: ${commandFor('search <words>', profile)}`);
  }
  return exitCodes[initExit(told, envelope)];
}

function entryOf(path: string, options: InitOptions): Partial<VaultSettings> {
  const { include, exclude, memories, engine, model, ollama: url } = options;
  // Whoever names a model of Ollama wants it.
  const isOllama = model !== undefined || url !== undefined;
  const embeddings = options.embeddings ?? (isOllama ? 'ollama' : undefined);
  if (isOllama && embeddings !== 'ollama')
    throw new CliError(
      'usage',
      'bad_embeddings',
      `--model and --ollama are about Ollama, and not about --embeddings ${embeddings}. Nothing was changed.`,
      'Leave one of them out.',
    );
  return {
    path,
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
    ...(memories !== undefined && { memories }),
    ...(embeddings !== undefined && { embeddings }),
    ...(isOllama && { ollama: { ...(url !== undefined && { url }), ...(model !== undefined && { model }) } }),
    ...(engine !== undefined && { engine }),
  } as Partial<VaultSettings>;
}

const providerOf = ({ settings, config }: VaultChange): string =>
  vaultProviderAt(vaultsOf(config).findIndex((each) => JSON.stringify(each) === JSON.stringify(settings)));

/** A bridge has the new vault before it is indexed, so that it does not make the index of the old one anew. */
function written(state: string, change: VaultChange): Promise<Told> {
  return withLive(state, async (bridge) => {
    change.write();
    if (!bridge) return { running: false, applied: false, problem: null };
    const { config } = change;
    const name = providerOf(change);
    const applied = await apply(bridge, config.providers, name, VaultChoice.parse(config));
    if (!applied.ok) return { running: true, applied: false, problem: applied.problem };
    const isThere = applied.views.some(({ provider }) => provider === name);
    return {
      running: true,
      applied: isThere,
      problem: isThere ? null : 'It is of a release without vaults.',
    };
  });
}

function toldWords({ running, applied, problem }: Told, written: string): string {
  if (!running) return `${written}. No bridge runs: Claude has it with the next \`synthesis up\`.`;
  if (applied) return `${written}, and taken over by the running bridge.`;
  return `${written}, but the running bridge did not take it over: ${safeLine(problem ?? '')}\nStart the bridge again: \`synthesis down\`, \`synthesis up\`.`;
}

function initExit({ running, applied }: Told, envelope: Envelope | undefined): ExitName {
  if (running && !applied) return 'failure';
  return envelope ? exitOf(envelope) : 'ok';
}
