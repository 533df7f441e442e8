// vault status: the folder, its index, and who has it.
import type { Envelope } from '../../../protocol/envelope.ts';
import { exitOf } from '../../envelope-exit.ts';
import { exitCodes } from '../../exit-codes.ts';
import { countText } from '../../output/live/progress-line.ts';
import { print, printJson } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { ago } from '../../output/words/ago.ts';
import { sizeText } from '../../output/words/size-text.ts';
import { type BridgeView, bridgeView } from './index-state/bridge-view.ts';
import { VaultFacts } from './index-state/facts.ts';
import { type IndexLook, lookAtIndex } from './index-state/index-look.ts';
import { changesText } from './index-state/indexed-words.ts';
import { opened } from './index-state/opened.ts';
import { type SkippedNote, skippedIn, skippedLines } from './index-state/skipped.ts';
import { sayTrouble } from './index-state/trouble.ts';
import { type Choice, chosenVault, commandFor, type VaultOf } from './setup/choice.ts';

export interface StatusOptions extends VaultOf {
  json: boolean;
}

export async function vaultStatus({ state, profile, json }: StatusOptions): Promise<number> {
  const choice = chosenVault(profile);
  using open = await opened(state, choice);
  const { envelope, skipped: walked, notes } = await walkedStatus(open.vault.status(), choice);
  const skipped = [...walked, ...skippedIn(envelope)];
  const look = await lookAtIndex(open.dir, notes);
  const bridge = await bridgeView(state, choice.provider);
  if (json) printJson(withLook(envelope, { choice, look, bridge, skipped }));
  else {
    const facts = VaultFacts.safeParse(envelope.data).data;
    for (const [name, value] of rowsOf(facts, { choice, look, bridge, profile })) printRow(name, value);
    if (skipped.length > 0) printRow('left aside', String(skipped.length));
    for (const line of skippedLines(skipped, commandFor('status --json', profile))) print(line);
    sayTrouble(envelope, profile);
  }
  // An index that cannot be used is a failure, whatever else is known of the vault.
  return exitCodes[envelope.status === 'unavailable' ? 'failure' : exitOf(envelope)];
}

/** What an index can be asked for, and what only its folder tells. */
async function walkedStatus(status: Promise<Envelope>, { settings }: Choice) {
  const { walkNotes } = await import('../../../vault/files/walk.ts');
  const { failureOf } = await import('../../../vault/failure.ts');
  const envelope = await status;
  try {
    const { notes, skipped } = walkNotes(settings.path, settings);
    return { envelope, notes, skipped: skipped.map(({ path, words }) => ({ file: path, why: words })) };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { envelope: { ...failure, data: envelope.data }, notes: undefined, skipped: [] };
  }
}

interface Seen {
  choice: Choice;
  look: IndexLook;
  bridge: BridgeView;
}

function withLook(envelope: Envelope, { choice, look, bridge, skipped }: Seen & { skipped: SkippedNote[] }) {
  const { settings } = choice;
  const { kind, behind, bytes, changed } = look;
  return {
    ...envelope,
    data: {
      ...(typeof envelope.data === 'object' ? envelope.data : {}),
      ...(kind === 'damaged' && { index: 'damaged' }),
      folder: settings.path,
      include: settings.include,
      exclude: settings.exclude,
      memories: settings.memories,
      skipped,
      behind,
      bytes,
      changed_at: changed,
      bridge: bridge.kind === 'with' ? bridge.view.status : bridge.kind,
    },
  };
}

type Row = [name: string, value: string];

function rowsOf(facts: VaultFacts | undefined, seen: Seen & { profile: string | undefined }): Row[] {
  const { settings } = seen.choice;
  return [
    ['folder', settings.path],
    [
      'notes',
      `${settings.include.join(', ')}${settings.exclude.length > 0 ? `, without ${settings.exclude.join(', ')}` : ''}`,
    ],
    ['index', indexText(facts, seen)],
    ...(facts ? ([['engine', facts.engine]] satisfies Row[]) : []),
    ...(facts?.embeddings ? ([['meaning', meaningText(facts.embeddings)]] satisfies Row[]) : []),
    ...(facts?.secrets_withheld ? ([['secrets', `${facts.secrets_withheld} withheld`]] satisfies Row[]) : []),
    ['memories', settings.memories],
    ['bridge', bridgeText(seen.bridge)],
  ];
}

function indexText(facts: VaultFacts | undefined, { look, profile }: Seen & { profile: string | undefined }) {
  const { kind, behind, bytes, changed } = look;
  if (kind !== 'open') return { none: 'none', unsealed: 'not whole', damaged: 'damaged' }[kind];
  const size = `${countText(facts?.notes ?? 0)} notes in ${countText(facts?.chunks ?? 0)} parts, ${sizeText(bytes)}`;
  const since = changed === null ? '' : `, changed ${ago(changed, Date.now())} ago`;
  if (behind === null) return size + since;
  const news = behind === 0 ? 'up to date' : `${changesText(behind)} behind: ${commandFor('index', profile)}`;
  return `${size}${since}, ${news}`;
}

function meaningText({ by, model, state, done, total }: NonNullable<VaultFacts['embeddings']>): string {
  const maker = model === null ? by : `${by}, ${model}`;
  if (done === null || total === null) return `${maker}: cannot be asked now`;
  return `${maker}: ${state === 'ready' ? 'all' : `${countText(done)} of`} ${countText(total)} parts`;
}

function bridgeText(bridge: BridgeView): string {
  switch (bridge.kind) {
    case 'none':
      return 'none runs: `synthesis up`';
    case 'without':
      return 'does not have it: it takes the configuration over with `synthesis down` and `synthesis up`';
    case 'silent':
      return bridge.error.message;
    case 'with':
      return `has it: ${bridge.view.status}${bridge.view.reason === null ? '' : `, ${bridge.view.reason}`}`;
  }
}

const printRow = (name: string, value: string): void => print(`${name.padEnd(11)} ${safeLine(value)}`);
