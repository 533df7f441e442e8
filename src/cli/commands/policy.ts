import type { PolicyField } from '../../domain/views/policy-field.ts';
import type { PolicyDoor } from '../../protocol/settings/policy.ts';
import { readConfig } from '../config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson } from '../output/out.ts';
import { table } from '../output/table.ts';
import { configFile } from '../paths.ts';
import { rulerFor } from '../text/ruler.ts';

export interface PolicyTestOptions {
  session: string;
  tool: string;
  /** JSON, or a shell command. */
  input: string;
  door?: PolicyDoor;
  sender?: string;
  unattended: boolean;
  json: boolean;
}

/** Exit code 0: it goes through without a question; 5: it does not. */
export async function policyTest({ input, json, ...question }: PolicyTestOptions): Promise<number> {
  const config = readConfig(configFile(process.env), process.env, {});
  const [{ tryPolicy }, { sandboxedNow }] = await Promise.all([
    import('../../bridge/policy/try-policy.ts'),
    import('../../bridge/policy/sandboxed-now.ts'),
  ]);
  const here = { ...config, cwd: config.cwd ?? process.cwd() };
  const sandboxed = await sandboxedNow(here, question.session, process.env);
  const ruling = tryPolicy(here, { ...question, sandboxed, input: inputOf(input) });
  if (json) printJson({ rule: null, reason: null, ...ruling });
  else {
    print(`${decisionName(ruling.decision)}: ${ruling.why}${ruling.reason ? `: ${ruling.reason}` : ''}`);
    // One field needs no table: the line says it all.
    if (ruling.fields.length > 1) await printFields(ruling.fields);
  }
  return ruling.decision === 'allow' ? exitCodes.ok : exitCodes.denied;
}

async function printFields(fields: readonly PolicyField[]): Promise<void> {
  const rows = fields.map(cellsOf);
  print(`\n${table(heads, rows, await rulerFor(rows.flat()))}`);
}

const heads = ['field', 'meaning', 'covered by'];

const cellsOf = ({ field, meaning, rule, why }: PolicyField): string[] => [
  field,
  meaning,
  rule === null ? `not covered: ${why}` : `rule ${rule}`,
];

const decisionName = (decision: string | { quorum: number }): string =>
  typeof decision === 'object' ? `quorum of ${decision.quorum}` : decision;

function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // No JSON: a command, as it would be typed.
  }
  return { command: text };
}
