// Breaks what decides about permissions, one small change at a time, and sees whether a test notices: `npm run
// test:mutants`, or `npm run test:mutants -- guard approvers` for some modules of test/mutants/modules.ts, with
// `--jobs 2` on two processors, and `--again` to leave out what comes out as in the last run: the same mutants with the
// same tests. `--write` alone runs nothing: the last results of all of them become docs/reference/mutants.md. The tool
// (63 MB) comes on first use.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modules } from '../test/mutants/modules.ts';
import { mutantsPage } from '../test/mutants/page.ts';
import { type Results, readResults, scoreOf } from '../test/mutants/results.ts';

/** Percent of the mutants of each module that a test must notice. */
const leastScore = 90;

const root = resolve(import.meta.dirname, '..');
const home = join(root, 'test/mutants');
/** Reports and sandboxes, outside of test/ so that no other run takes a sandbox for tests. */
const work = join(root, '.mutants');
const page = join(root, 'docs/reference/mutants.md');
const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');

const reportOf = (name: string) => join(work, `${name}.json`);

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status === 0) return;
  console.error(
    `${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ` with exit code ${status}`}.`,
  );
  process.exit(1);
}

function install(): void {
  if (existsSync(stryker)) return;
  console.log(`Installing the mutation tester into ${home} (63 MB) …`);
  // Its vitest is the one of this project, which npm cannot see from there.
  run('npm', ['ci', '--no-audit', '--no-fund', '--legacy-peer-deps'], home);
}

function breakModule(name: string, jobs: number, again: boolean): void {
  const { mutate = [], tests = [] } = modules[name] ?? {};
  mkdirSync(work, { recursive: true });
  const config = join(work, `${name}.config.json`);
  const options = {
    testRunner: 'vitest',
    mutate,
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: jobs,
    // It would be rewritten with a compiler API that TypeScript 7 no longer has, and nothing here needs it.
    tsconfigFile: '.mutants/none.json',
    tempDirName: '.mutants/sandbox',
    ignorePatterns: ['dist', 'docs', 'bench', 'test/e2e', 'test/real', 'test/fixtures'],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: reportOf(name) },
    incremental: again,
    incrementalFile: reportOf(name),
    timeoutMS: 10_000,
    logLevel: 'warn',
    warnings: { slow: false },
  };
  writeFileSync(config, JSON.stringify(options, undefined, 2));
  console.log(`== ${name}: ${mutate.join(', ')}`);
  run(process.execPath, [stryker, 'run', config], root, {
    MUTANT_TESTS: tests.join(','),
    PROPERTY_RUNS: '100',
  });
}

/** Nothing when they are of other sources: they would name lines that are no longer there. */
function read(name: string): Results[] {
  const path = reportOf(name);
  if (!existsSync(path)) return [];
  const results = readResults(name, JSON.parse(readFileSync(path, 'utf8')));
  const isCurrent = ({ file, source }: Results) =>
    existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === source;
  return results.every(isCurrent) ? results : [];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    again: { type: 'boolean' },
    jobs: { type: 'string', default: '1' },
  },
});
const wanted = positionals.length > 0 || values.write ? positionals : Object.keys(modules);
const unknown = wanted.filter((name) => !(name in modules));
if (unknown.length > 0) {
  console.error(`No such module: ${unknown.join(', ')}. There are ${Object.keys(modules).join(', ')}.`);
  process.exit(1);
}

if (wanted.length > 0) install();
for (const name of wanted) breakModule(name, Number(values.jobs), values.again === true);

const shown = values.write ? Object.keys(modules) : wanted;
const results = shown.flatMap(read);
for (const { file, survivors } of results) {
  for (const { line, before, after } of survivors) {
    console.log(`\n${file}:${line} nobody noticed:\n- ${before}\n+ ${after}`);
  }
}
console.log('');
console.table(
  results.map(({ module, file, killed, survivors, score }) => ({
    module,
    file,
    noticed: killed,
    unnoticed: survivors.length,
    score,
  })),
);
console.log(`All of them: ${scoreOf(results)} %`);

const missing = shown.filter((name) => !results.some(({ module }) => module === name));
for (const name of missing) console.error(`${name}: no results for the sources as they are.`);
const low = shown.filter((name) => scoreOf(results.filter(({ module }) => module === name)) < leastScore);
for (const name of low) console.error(`${name}: less than ${leastScore} % of its mutants are noticed.`);
if (values.write && results.length > 0) writeFileSync(page, mutantsPage(results, leastScore, missing));
process.exit(missing.length > 0 || low.length > 0 ? 1 : 0);
