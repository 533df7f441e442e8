// The reporter of `.ci/run`: appends what it hears to the file that CI_RECORD names.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import type { Line } from './record.ts';

export default class Recorder implements Reporter {
  onTestModuleQueued(module: TestModule): void {
    record({ type: 'begun', file: module.relativeModuleId });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'pending') return;
    record({
      type: 'test',
      file: test.module.relativeModuleId,
      project: test.project.name,
      id: test.id,
      name: test.fullName,
      state,
      errors: errors.map(textOf),
    });
  }

  onTestModuleEnd(module: TestModule): void {
    const blocks = [...module.children.allSuites()];
    record({
      type: 'ended',
      file: module.relativeModuleId,
      project: module.project.name,
      errors: [module, ...blocks].flatMap((each) => each.errors()).map(textOf),
    });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (errors.length > 0) record({ type: 'stray', errors: errors.map(textOf) });
  }
}

/** With what caused it, and the test that ran where vitest names one: a stray error is found by nothing else. */
function textOf({
  stack,
  message,
  cause,
  VITEST_TEST_PATH: path,
  VITEST_TEST_NAME: name,
}: SerializedError): string {
  const frames = (stack ?? message).split('\n').filter((line) => !line.includes('/node_modules/vitest/'));
  const test = typeof path === 'string' ? [`while ${relative('.', path)} ran${name ? `: ${name}` : ''}`] : [];
  return [...frames, ...test, ...(cause ? [`caused by ${textOf(cause as SerializedError)}`] : [])].join('\n');
}

function record(line: Line): void {
  const { CI_RECORD: path } = process.env;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
}
