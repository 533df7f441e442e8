// tools list: those of the bridge, or of the configuration where none runs.
import type { ProviderView } from '../../../domain/views/tools.ts';
import type { Provider } from '../../../protocol/settings/provider.ts';
import { CliError } from '../../cli-error.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { table } from '../../output/table.ts';
import { ago } from '../../output/words/ago.ts';
import { configFile } from '../../paths.ts';
import { clip, clipMiddle, ruler, width } from '../../text/width.ts';
import { lookMs } from './known.ts';

export interface ListOptions {
  state: string;
  json: boolean;
  quiet: boolean;
}

/** A provider of which only the configuration tells: whatever a bridge would know is null. */
type Row = Pick<ProviderView, 'provider' | 'kind'> & {
  [Key in keyof Omit<ProviderView, 'provider' | 'kind'>]: ProviderView[Key] | null;
};

export async function toolsList({ state, json, quiet }: ListOptions): Promise<number> {
  const live = await running(state);
  const rows = live ?? (await configured());
  if (json) printJson(rows);
  else if (quiet) for (const { provider } of rows) print(safeLine(provider));
  else if (rows.length === 0) say('No provider of tools yet: synthesis tools add --help');
  else print(providerTable(rows, Date.now(), process.stdout.columns));
  if (json || quiet) return exitCodes.ok;
  if (!live && rows.length > 0)
    say(`No bridge runs for ${state}: these are the providers of the configuration.`);
  for (const { provider, refused } of rows)
    if (refused) {
      const which = refused === 1 ? 'One tool' : `${refused} tools`;
      say(`${which} of ${safeLine(provider)} refused: synthesis tools inspect ${safeLine(provider)}`);
    }
  return exitCodes.ok;
}

/** Undefined where no bridge runs. */
async function running(state: string): Promise<ProviderView[] | undefined> {
  try {
    return await callBridge(state, 'tools.list', {}, { timeoutMs: lookMs });
  } catch (error) {
    if (error instanceof CliError && error.exit === 'not_running') return undefined;
    throw error;
  }
}

async function configured(): Promise<Row[]> {
  const { readConfig } = await import('../../config/config.ts');
  const { providers } = readConfig(configFile(process.env), process.env, {});
  const unknown = { status: null, reason: null, since: null, last_probe: null };
  const none = { tools: null, refused: null, running: null, waiting: null };
  return providers.map((each) => ({ provider: each.name, kind: kindOf(each), ...unknown, ...none }));
}

const kindOf = ({ command, url }: Provider): ProviderView['kind'] =>
  command ? 'command' : url === undefined ? 'module' : 'url';

/** Cells that a reason needs to say anything. */
const leastReason = 10;

/** @param columns of the terminal: reasons are cut to it, then names. Undefined: nothing is cut */
export function providerTable(rows: readonly Row[], now: number, columns?: number): string {
  const head = ['kind', 'status', 'tools', 'calls', 'since'];
  const middle = rows.map((row) => [
    row.kind,
    row.status ?? '-',
    row.tools === null ? '-' : String(row.tools),
    callsOf(row),
    row.since === null ? '-' : ago(row.since, now),
  ]);
  // Two blanks on either side of what is always whole.
  const room =
    columns === undefined ? Number.POSITIVE_INFINITY : columns - widest(table(head, middle, ruler)) - 4;
  const names = rows.map(({ provider }) => clipMiddle(safeLine(provider), Math.max(8, room - leastReason)));
  const reasonRoom = Math.max(leastReason, room - widest(['name', ...names].join('\n')));
  return table(
    ['name', ...head, 'reason'],
    rows.map(({ reason }, at) => [
      names[at] ?? '',
      ...(middle[at] ?? []),
      clip(safeLine(reason ?? ''), reasonRoom),
    ]),
    ruler,
  );
}

const widest = (lines: string): number => Math.max(...lines.split('\n').map(width));

/** `2`, and `2+3` when three more wait. */
function callsOf({ running, waiting }: Row): string {
  if (running === null) return '-';
  return waiting ? `${running}+${waiting}` : String(running);
}
