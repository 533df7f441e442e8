// policy fuzz: which ways around the rules would run unasked, as tables that fit a terminal.
import type { TriedRule } from '../../bridge/policy/fuzz-policy.ts';
import { readConfig } from '../config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { fuzzJson } from '../output/policy/fuzz-json.ts';
import { callsTable, fewOf, inWords, rulesTable } from '../output/policy/fuzz-tables.ts';
import { configFile } from '../paths.ts';
import { rulerFor } from '../text/ruler.ts';

export interface PolicyFuzzOptions {
  /** Key of a session; undefined: every rule is tried in a session that it is for. */
  session?: string;
  json: boolean;
  /** Lists every call, and says what each family is. */
  all: boolean;
}

/** Time for all rules together, milliseconds: four take half a second, and 1.5 s on a busy machine (measured). */
const withinMs = 10_000;
/** Calls that are listed unless all are wanted: with a row for each rule, and the words, they fit 24 rows. */
const listed = (rules: number): number => Math.min(10, Math.max(3, 14 - rules));

/** Exit code 0: nothing would run unasked; 7: something would, or it could not be told in time. */
export async function policyFuzz({ session, json, all }: PolicyFuzzOptions): Promise<number> {
  const config = readConfig(configFile(process.env), process.env, {});
  const [{ fuzzPolicy, familyWords }, { sandboxedNow }] = await Promise.all([
    import('../../bridge/policy/fuzz-policy.ts'),
    import('../../bridge/policy/sandboxed-now.ts'),
  ]);
  const here = { ...config, cwd: config.cwd ?? process.cwd() };
  const sandboxed = await sandboxedNow(here, session ?? '', process.env);
  const rules = fuzzPolicy(here, { ...(session !== undefined && { session }), sandboxed, withinMs });
  if (json) printJson(fuzzJson(rules, session, familyWords));
  else {
    await printTables(rules, all ? undefined : listed(rules.length), familyWords);
    for (const words of inWords(rules)) say(words);
  }
  return rules.some(({ unasked, isLate }) => isLate || unasked.length > 0)
    ? exitCodes.degraded
    : exitCodes.ok;
}

async function printTables(
  rules: readonly TriedRule[],
  most: number | undefined,
  words: (family: string) => string,
): Promise<void> {
  const tried = rules.filter(({ tried }) => tried > 0);
  if (tried.length === 0) return;
  const columns = process.stdout.columns || undefined;
  const calls = tried.flatMap(({ number, unasked }) => unasked.map((each) => ({ number, ...each })));
  const shown = most === undefined ? calls : fewOf(calls, most);
  const ruler = await rulerFor(shown.map(({ input }) => JSON.stringify(input)));
  print(rulesTable(tried, ruler, columns));
  if (calls.length === 0) return;
  print(`\n${callsTable(shown, ruler, most === undefined ? undefined : columns)}`);
  if (shown.length < calls.length) print(`… and ${calls.length - shown.length} more (--all)`);
  if (most !== undefined) return;
  const families = [...new Set(calls.map(({ family }) => family))];
  print(`\n${families.map((family) => `${family}: ${words(family)}`).join('\n')}`);
}
