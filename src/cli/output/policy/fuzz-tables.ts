// What `policy fuzz` shows: a row for each rule, a row for each call that would run unasked, and what people need to
// know besides.
import type { TriedRule } from '../../../bridge/policy/fuzz-policy.ts';
import type { PolicyRule } from '../../../protocol/settings/policy.ts';
import type { Ruler } from '../../text/ruler.ts';
import { safeLine } from '../safe.ts';
import { table } from '../table.ts';

export interface UnaskedCall {
  number: number;
  tool: string;
  input: unknown;
  family: string;
  by: number | null;
}

/** Cells of everything in a row of the first table but the rule: four numbers, their titles and blanks. */
const numberCells = 46;

/** @param columns of the terminal: rules are cut to it; undefined: nothing is cut */
export function rulesTable(rules: readonly TriedRule[], ruler: Ruler, columns?: number): string {
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - numberCells);
  return table(
    ['rule', 'tried', 'asked or denied', 'left', 'unasked'],
    rules.map(({ number, rule, tried, held, left, unasked }) => [
      ruler.clip(safeLine(`${number} ${ruleName(rule)}`), room),
      ...[tried, held, left, unasked.length].map(String),
    ]),
    ruler,
  );
}

/** `deny command rm`, `allow host good.com (web_fetch)` */
export function ruleName({ decision, command, path, host, tool }: PolicyRule): string {
  const does = typeof decision === 'object' ? `quorum ${decision.quorum}` : decision;
  const what =
    command === undefined ? (path === undefined ? `host ${host}` : `path ${path}`) : `command ${command}`;
  return `${does} ${what}${tool === undefined ? '' : ` (${[tool].flat().join(', ')})`}`;
}

/** Cells of the longest name of a family. */
const familyCells = 30;

/** @param columns of the terminal: inputs are cut to it; undefined: nothing is cut */
export function callsTable(calls: readonly UnaskedCall[], ruler: Ruler, columns?: number): string {
  const head = ['rule', 'tool', 'unasked', 'kind'];
  const rows = calls.map(({ number, tool, input, family }) => [
    String(number),
    safeLine(tool),
    safeLine(inputWords(input)),
    ruler.clip(family, familyCells),
  ]);
  if (columns === undefined) return table(head, rows, ruler);
  const beside = [0, 1, 3].map((at) => Math.max(...[head, ...rows].map((row) => ruler.width(row[at] ?? ''))));
  const room = Math.max(20, columns - beside.reduce((sum, cells) => sum + cells + 2, 0));
  return table(
    head,
    rows.map((row) => row.map((cell, at) => (at === 2 ? ruler.clip(cell, room) : cell))),
    ruler,
  );
}

/** Fields whose value says all, where there is no other. */
const usual = new Set(['command', 'file_path', 'path', 'url']);

/** A command, a path or an address as it is; everything else as JSON. */
function inputWords(input: unknown): string {
  const [first, ...others] = Object.entries(input as object);
  if (first && others.length === 0 && usual.has(first[0]) && typeof first[1] === 'string') return first[1];
  return JSON.stringify(input);
}

/** At most `most` calls, of every rule as many, in their order. */
export function fewOf(calls: readonly UnaskedCall[], most: number): UnaskedCall[] {
  const ranks = new Map<number, number>();
  const ranked = calls.map((call, index) => {
    const rank = ranks.get(call.number) ?? 0;
    ranks.set(call.number, rank + 1);
    return { call, index, rank };
  });
  return ranked
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .slice(0, most)
    .sort((one, other) => one.index - other.index)
    .map(({ call }) => call);
}

const noRules = [
  "The policy has no rules, so there is nothing to try. Claude Code's permission mode decides about its own tools, and the hub's tools ask unless they only look.",
  'Write rules with `synthesis config set policy`; `synthesis docs policy` says how.',
];

/** What people are told besides the tables, each on a line of its own. */
export function inWords(rules: readonly TriedRule[]): string[] {
  if (rules.length === 0) return noRules;
  const sum = (count: (rule: TriedRule) => number) => rules.reduce((all, rule) => all + count(rule), 0);
  const tried = sum((rule) => rule.tried);
  const unasked = sum((rule) => rule.unasked.length);
  const words: string[] = [];
  if (tried > 0)
    words.push(
      unasked === 0
        ? `None of ${tried} calls would run unasked. Nothing was run.`
        : `${unasked} of ${tried} calls would run unasked; none was run. Next: \`synthesis docs policy\``,
    );
  const left = rules.filter((rule) => rule.left > 0);
  if (left.length > 0) words.push(leftWords([...new Set(left.map(({ mode }) => mode))]));
  const others = sum((rule) => rule.others);
  if (others > 0)
    words.push(
      others === 1
        ? '1 call beside an allowed one passes by default, and counts as neither.'
        : `${others} calls beside an allowed one pass by default, and count as neither.`,
    );
  for (const [why, numbers] of notTried(rules))
    words.push(`Not tried: ${numbers.length === 1 ? 'rule' : 'rules'} ${numbers.join(', ')}: ${why}.`);
  if (tried === 0) words.push('Nothing was tried. `synthesis policy test` says what decides about one call.');
  return words;
}

const leftWords = (modes: readonly string[]): string =>
  `Left: no rule decides. Claude Code's permission mode does (${modes.join(', ')}): it ${
    modes.every((mode) => mode === 'dontAsk')
      ? 'denies what your Claude Code settings do not allow.'
      : 'asks, except for what Claude Code or its settings hold to be harmless.'
  }`;

function notTried(rules: readonly TriedRule[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { why, number } of rules)
    if (why !== undefined) found.set(why, [...(found.get(why) ?? []), number]);
  return found;
}
