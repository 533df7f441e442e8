// tools inspect: all that the bridge knows of one provider.
import type { ProviderDetail, ProviderView, ToolView } from '../../../domain/views/tools.ts';
import { withBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson } from '../../output/out.ts';
import { safe, safeLine } from '../../output/safe.ts';
import { ago } from '../../output/words/ago.ts';
import { wrapWords } from '../../text/wrap-words.ts';
import { lookMs, ofProvider } from './known.ts';

export interface InspectOptions {
  state: string;
  provider: string;
  json: boolean;
}

export async function toolsInspect({ state, provider, json }: InspectOptions): Promise<number> {
  const detail = await withBridge(state, (bridge) =>
    ofProvider(bridge, provider, bridge.call('tools.inspect', { provider }, { timeoutMs: lookMs })),
  );
  if (json) printJson(detail);
  else for (const line of detailLines(detail, Date.now(), process.stdout.columns)) print(line);
  return exitCodes.ok;
}

/** @param columns undefined: nothing is wrapped, as programs like to read it */
export function detailLines(detail: ProviderDetail, now: number, columns: number | undefined): string[] {
  const { provider, tools, refused, printed } = detail;
  const width = columns ?? Number.POSITIVE_INFINITY;
  return [
    ...facts(provider, now, width),
    '',
    tools.length === 0 ? 'Claude gets none of its tools.' : 'Claude gets:',
    ...tools.flatMap((tool) => toolLines(tool, width)),
    ...section(
      'Claude does not get:',
      refused.flatMap(({ tool, why }) => hanging(`  ${safeLine(tool)}: `, safeLine(why), 4, width)),
    ),
    // Behind a bar, so that nothing that it prints is taken for ours.
    ...section(
      'It printed last:',
      printed.map((line) => `  | ${safeLine(line)}`),
    ),
  ];
}

function facts(view: ProviderView, now: number, width: number): string[] {
  const { running, waiting } = view;
  const rows: [string, string | null][] = [
    ['name', view.provider],
    ['kind', view.kind],
    ['status', view.status],
    ['reason', view.reason],
    ['since', `${ago(view.since, now)} ago`],
    ['last probe', view.last_probe === null ? 'none was answered yet' : `${ago(view.last_probe, now)} ago`],
    ['calls', `${running} running, ${waiting} waiting`],
  ];
  return rows.flatMap(([name, value]) =>
    value === null ? [] : hanging(`${name.padEnd(12)} `, safeLine(value), 13, width),
  );
}

function toolLines({ name, tool, description, permissions, idempotent }: ToolView, width: number): string[] {
  const given = tool === name ? '' : ` (${tool})`;
  const may = permissions.length === 0 ? 'needs no permission' : permissions.join(', ');
  const again = idempotent ? '; may be repeated' : '';
  return [
    ...hanging('  ', safeLine(`${name}${given}: ${may}${again}`), 6, width),
    ...safe(description)
      .split('\n')
      .map((line) => safeLine(line).trim())
      .filter((line) => line !== '')
      .flatMap((line) => hanging('      ', line, 6, width)),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** Words behind `head`, in lines of `width`; those that follow are indented. */
function hanging(head: string, words: string, indent: number, width: number): string[] {
  // A head is short: the lines below it need no more room than the one behind it.
  const [first = '', ...rest] = wrapWords(words, Math.max(20, width - Math.max(head.length, indent)));
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
}
