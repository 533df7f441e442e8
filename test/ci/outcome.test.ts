import { expect, test } from 'vitest';
import { filesToTryAgain, outcomeOf, type Try } from './outcome.ts';
import { type Line, readRecord } from './record.ts';

type State = 'passed' | 'failed' | 'skipped';

const errorsOf = (failed: boolean, error: string) => (failed ? [error] : []);

function result(name: string, state: State, project = 'e2e', error = 'why'): Line {
  const errors = errorsOf(state === 'failed', error);
  return { type: 'test', file: `${project}.test.ts`, project, id: `${project} ${name}`, name, state, errors };
}

const ended = (project: string, errors: string[] = []): Line => ({
  type: 'ended',
  file: `${project}.test.ts`,
  project,
  errors,
});

const ran = (code: number, ...lines: Line[]): Try => ({ lines, code, limit: 60 });

const titles = (tries: Try[]) => {
  const { passed, flaky, failed } = outcomeOf('test', tries);
  return { passed, flaky: flaky.map(({ title }) => title), failed: failed.map(({ title }) => title) };
};

test('a test that passed at one of two tries has passed and is flaky, in whichever order, with its reason', () => {
  const first = ran(1, result('late', 'failed', 'e2e', 'too early'), result('odd', 'passed'), ended('e2e'));
  const second = ran(1, result('late', 'passed'), result('odd', 'failed'), ended('e2e'));
  const flaky = ['e2e.test.ts > late', 'e2e.test.ts > odd'];
  expect(titles([first, second])).toEqual({ passed: 2, flaky, failed: [] });
  expect(outcomeOf('test', [first, second]).flaky[0]?.errors).toEqual(['too early']);
});

test('a test that failed twice has failed once, and is told with both reasons', () => {
  const tries = ['here', 'there'].map((error) => ran(1, result('never', 'failed', 'real', error)));
  expect(outcomeOf('test', tries)).toEqual({
    passed: 0,
    flaky: [],
    failed: [{ title: 'real.test.ts > never', errors: ['here', 'there'] }],
  });
});

test('a skipped test counts for nothing, so one whose second try has no world has failed', () => {
  const first = ran(1, result('late', 'failed'), result('other', 'skipped'));
  expect(titles([first, ran(1, result('late', 'skipped'), ended('e2e', ['no world']))])).toEqual({
    passed: 0,
    flaky: [],
    failed: ['e2e.test.ts > late', 'e2e.test.ts'],
  });
});

test('only files of the projects that wait for other programs are tried again, each once', () => {
  const lines = ['unit', 'texts', 'e2e', 'real'].flatMap((project) => [
    result('one', 'failed', project),
    result('two', 'failed', project),
    ended(project),
  ]);
  expect(filesToTryAgain(lines)).toEqual(['e2e.test.ts', 'real.test.ts']);
  expect(filesToTryAgain([result('one', 'skipped'), ended('e2e', ['no world'])])).toEqual(['e2e.test.ts']);
  expect(filesToTryAgain([result('one', 'passed'), ended('e2e')])).toEqual([]);
});

const begun: Line = { type: 'begun', file: 'real.test.ts' };

test.each<[what: string, tries: Try[], told: string[], errors?: string[]]>([
  ['that never began', [], ['npm run test: not run']],
  ['whose build failed', [ran(2)], ['npm run test: ended with exit code 2, and no test had failed']],
  ['without a test', [ran(0)], ['npm run test: no test ran']],
  [
    'that was stopped',
    [ran(124, { type: 'begun', file: 'e2e.test.ts' }, ended('e2e'), begun)],
    ['npm run test: stopped at its limit of 60 s'],
    ['real.test.ts was not at its end'],
  ],
  ['that had to be killed', [ran(137, begun)], ['npm run test: stopped at its limit of 60 s']],
  [
    'with an error outside of its tests, whatever the second try says,',
    [
      ran(1, result('late', 'failed'), { type: 'stray', errors: ['nobody caught this'] }),
      ran(0, result('late', 'passed')),
    ],
    ['npm run test: an error outside of every test'],
    ['nobody caught this'],
  ],
])('a run %s is red', (_, tries, told, errors) => {
  const { failed } = outcomeOf('test', tries);
  expect(failed.map(({ title }) => title)).toEqual(told);
  if (errors) expect(failed[0]?.errors).toEqual(errors);
});

test('the record of a run that was killed is read up to its last whole line', () => {
  const text = `${JSON.stringify(begun)}\n{"type":"ended","fi`;
  expect(readRecord(text)).toEqual([begun]);
  expect(readRecord('')).toEqual([]);
});
