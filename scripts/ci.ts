// The two questions of `.ci/run`. `ci.ts again <record>` prints the files to try once more; `ci.ts summary <folder>
// <script>…` says what all of it comes to, with "N passed, N failed" as its last line, and fails if a test did.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, filesToTryAgain, outcomeOf, type Try } from '../test/ci/outcome.ts';
import { readRecord } from '../test/ci/record.ts';

const linesOf = (path: string) => readRecord(existsSync(path) ? readFileSync(path, 'utf8') : '');

/** What `.ci/run` left of one try: what the reporter wrote, and `<exit code> <limit>`. */
function readTry(folder: string, script: string, which: number): Try[] {
  const exit = join(folder, `${script}.${which}.exit`);
  if (!existsSync(exit)) return [];
  const [code = 1, limit = 0] = readFileSync(exit, 'utf8').trim().split(' ').map(Number);
  return [{ lines: linesOf(join(folder, `${script}.${which}.jsonl`)), code, limit }];
}

/** Named once more at the end, where a log that was cut still has them. */
function told(word: string, { title, errors }: Fault): string[] {
  return [`${word} ${title}`, ...errors.map((error) => `  ${error.slice(0, 1_500)}`)];
}

function summary(folder: string, scripts: readonly string[]): string {
  const outcomes = scripts.map((script) =>
    outcomeOf(
      script,
      [1, 2].flatMap((which) => readTry(folder, script, which)),
    ),
  );
  const flaky = outcomes.flatMap((each) => each.flaky);
  const failed = outcomes.flatMap((each) => each.failed);
  const passed = outcomes.reduce((sum, each) => sum + each.passed, 0);
  if (failed.length > 0) process.exitCode = 1;
  return [
    ...flaky.flatMap((each) => told('FLAKY', each)),
    ...failed.flatMap((each) => told('FAILED', each)),
    `${passed} passed, ${failed.length} failed`,
  ].join('\n');
}

const [question, path = '', ...scripts] = process.argv.slice(2);
if (question === 'again') for (const file of filesToTryAgain(linesOf(path))) console.log(file);
if (question === 'summary') console.log(summary(path, scripts));
