// What one or two tries of a suite come to. A test that passed at one of them has passed; one that failed at the other
// is flaky, which is said and is no reason to test less.
import type { Line } from './record.ts';

/** One run of an npm script that ends in vitest. */
export interface Try {
  lines: readonly Line[];
  /** Exit code of `timeout`, or of the script where it ended by itself. */
  code: number;
  /** Seconds. */
  limit: number;
}

export interface Fault {
  /** `<file> > <test>`, a file, or what went wrong with the run. */
  title: string;
  /** What each try said. */
  errors: string[];
}

export interface Outcome {
  /** Tests. */
  passed: number;
  flaky: Fault[];
  failed: Fault[];
}

/** The projects that wait for other programs; a failure anywhere else is one at the first try. */
const triedAgain = new Set(['e2e', 'real']);

/** Whole files, because their tests share a world: each begins anew, in another process. */
export function filesToTryAgain(lines: readonly Line[]): string[] {
  const again = lines.flatMap((line) => {
    if (line.type !== 'test' && line.type !== 'ended') return [];
    return triedAgain.has(line.project) && sawFailure(line) ? [line.file] : [];
  });
  return [...new Set(again)];
}

export function outcomeOf(script: string, tries: readonly Try[]): Outcome {
  const outcome: Outcome = { passed: 0, flaky: [], failed: tries.flatMap((each) => trouble(script, each)) };
  if (tries.length === 0) outcome.failed.push({ title: `npm run ${script}: not run`, errors: [] });
  const seen = Map.groupBy(
    tries.flatMap(({ lines }) => lines.filter(isResult)),
    keyOf,
  );
  for (const results of seen.values()) {
    const [first] = results;
    if (!first) continue;
    const passed = results.some((each) => !sawFailure(each));
    const fault = { title: titleOf(first), errors: results.flatMap(({ errors }) => errors.slice(0, 1)) };
    if (passed && first.type === 'test') outcome.passed += 1;
    if (!results.some(sawFailure)) continue;
    (passed ? outcome.flaky : outcome.failed).push(fault);
  }
  return outcome;
}

type Result = Extract<Line, { type: 'test' | 'ended' }>;

const isResult = (line: Line): line is Result =>
  line.type === 'ended' || (line.type === 'test' && line.state !== 'skipped');

const keyOf = (line: Result): string => (line.type === 'test' ? line.id : line.file);

const titleOf = (line: Result): string => (line.type === 'test' ? `${line.file} > ${line.name}` : line.file);

const sawFailure = (line: Result): boolean =>
  line.type === 'test' ? line.state === 'failed' : line.errors.length > 0;

/** `timeout` ends with 124, or with 137 where it had to kill. */
const stopped = new Set([124, 137]);

/** What is wrong with a run beyond the failures that it recorded. */
function trouble(script: string, { lines, code, limit }: Try): Fault[] {
  const title = `npm run ${script}`;
  if (stopped.has(code)) {
    const errors = unfinished(lines).map((file) => `${file} was not at its end`);
    return [{ title: `${title}: stopped at its limit of ${limit} s`, errors }];
  }
  const strays = lines.flatMap((line) => (line.type === 'stray' ? line.errors : []));
  if (strays.length > 0) return [{ title: `${title}: an error outside of every test`, errors: strays }];
  const results = lines.filter(isResult);
  if (code !== 0 && !results.some(sawFailure))
    return [{ title: `${title}: ended with exit code ${code}, and no test had failed`, errors: [] }];
  if (results.some(({ type }) => type === 'test')) return [];
  return code === 0 ? [{ title: `${title}: no test ran`, errors: [] }] : [];
}

function unfinished(lines: readonly Line[]): string[] {
  const ended = new Set(lines.flatMap((line) => (line.type === 'ended' ? [line.file] : [])));
  return lines.flatMap((line) => (line.type === 'begun' && !ended.has(line.file) ? [line.file] : []));
}
