import { type ToolFailureCode, toolFailures } from '../../protocol/events/tool-failures.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { nearest } from '../nearest.ts';
import { print, printJson } from '../output/out.ts';
import { wrapWords } from '../text/wrap-words.ts';

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
  const near = nearest(wanted, codes);
  throw new CliError(
    'usage',
    'unknown_code',
    `No tool fails with the code "${name}".`,
    near ? `Did you mean ${near}?` : 'All of them: synthesis explain',
  );
}
