import { type ToolFailureCode, toolFailures } from '../../protocol/tool-failures.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson } from '../output/out.ts';
import { wrapWords } from '../output/wrap-words.ts';

const codes = Object.keys(toolFailures) as ToolFailureCode[];

/**
 * What a failure of a tool means, and what to do.
 * @param name a code in any case; undefined: all of them
 * @throws CliError `unknown_code`
 */
export function explain(name: string | undefined, { json }: { json: boolean }): number {
  if (name !== undefined) {
    const found = object(codeOf(name));
    if (json) printJson(found);
    else print(words(found));
  } else if (json) printJson(codes.map(object));
  else print(list(process.stdout.columns || Number.POSITIVE_INFINITY));
  return exitCodes.ok;
}

function object(code: ToolFailureCode) {
  const { status, recoverable, retryOnce = false, meaning, suggestion, remedy } = toolFailures[code];
  return { code, status, recoverable, retry_once: retryOnce, meaning, suggestion, remedy };
}

function words({ code, status, recoverable, retry_once, ...row }: ReturnType<typeof object>): string {
  const again = recoverable ? 'may work later' : 'does not work later either';
  const retry = retry_once ? '; tried once more if the tool is idempotent' : '';
  return [
    `${code}: ${row.meaning}`,
    `  result      ${status}, ${again}${retry}`,
    `  to Claude   ${row.suggestion}`,
    `  to do       ${row.remedy}`,
  ].join('\n');
}

/** Codes, and beside each its meaning, wrapped to so many cells. */
export function list(columns: number): string {
  const indent = Math.max(...codes.map((code) => code.length)) + 2;
  return codes
    .flatMap((code) =>
      wrapWords(toolFailures[code].meaning, Math.max(20, columns - indent)).map(
        (line, at) => `${(at === 0 ? code : '').padEnd(indent)}${line}`,
      ),
    )
    .join('\n');
}

function codeOf(name: string): ToolFailureCode {
  const wanted = name.toUpperCase().replaceAll('-', '_');
  const exact = codes.find((code) => code === wanted);
  if (exact) return exact;
  const near = nearest(wanted);
  throw new CliError(
    'usage',
    'unknown_code',
    `No tool fails with the code "${name}".`,
    near ? `Did you mean ${near}?` : 'All of them: synthesis explain',
  );
}

/** Whatever begins so, or differs by less than a third of its letters. */
function nearest(wanted: string): ToolFailureCode | undefined {
  const begins = wanted.length > 2 && codes.find((code) => code.startsWith(wanted));
  if (begins) return begins;
  const [best] = codes
    .map((code) => ({ code, far: distance(wanted.slice(0, 64), code) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far * 3 < best.code.length ? best.code : undefined;
}

/** Letters to add, leave out or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
