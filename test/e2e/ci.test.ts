// `.ci/run` as it is, on a small project of its own: the second try of what waits for other programs, and the limit.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What the tests of the project begin with: `first()` is true until the process that asked has ended. */
const head = `import { existsSync, writeFileSync } from 'node:fs';
const first = (mark) => !existsSync(mark) && (writeFileSync(mark, ''), true);
`;

const projects = ['unit', 'e2e', 'real'].map((name) => ({
  test: { name, include: [`test/${name}/**/*.test.js`], globals: true, testTimeout: 120_000 },
}));

/** @param files the tests, by path @param limit of `test:real`, seconds; without one, its own */
async function ci(files: Record<string, string>, limit?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'synthesis-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  for (const [path, text] of Object.entries(files)) write(path, head + text);
  const script = readFileSync(join(root, '.ci/run'), 'utf8');
  const own = /(?<=suite test:real )\d+/;
  expect(script).toMatch(own);
  write('.ci/run', limit === undefined ? script : script.replace(own, String(limit)), 0o755);
  cpSync(join(root, 'scripts/ci.ts'), join(folder, 'scripts/ci.ts'));
  cpSync(join(root, 'test/ci'), join(folder, 'test/ci'), { recursive: true });
  // Nothing is installed for it.
  for (const name of ['tmux', 'zsh']) write(`bin/${name}`, '', 0o755);
  const run = `node ${join(root, 'node_modules/vitest/vitest.mjs')} run`;
  const scripts = { test: `${run} --project unit --project e2e`, 'test:real': `${run} --project real` };
  const named = { name: 'small', version: '1.0.0' };
  write('package.json', JSON.stringify({ ...named, type: 'module', scripts }));
  write('package-lock.json', JSON.stringify({ ...named, lockfileVersion: 3, packages: { '': named } }));
  write('vitest.config.js', `export default ${JSON.stringify({ test: { projects } })}`);
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  const { stdout, exitCode } = await execa('bash', ['.ci/run'], {
    cwd: folder,
    env: { PATH: path, HOME: folder, NO_COLOR: '1' },
    extendEnv: false,
    reject: false,
    timeout: 150_000,
  });
  const lines = stdout.split('\n');
  return { exitCode, lines, told: lines.filter((line) => /^(FLAKY|FAILED) /.test(line)), last: lines.at(-1) };
}

test('an end-to-end test that passes at its second try is listed as flaky, and its file begins anew', async () => {
  const { exitCode, told, lines, last } = await ci({
    'test/unit/steady.test.js': `test('holds', () => {});`,
    'test/e2e/steady.test.js': `test('holds', () => expect(first('steady')).toBe(true));`,
    'test/e2e/once.test.js': `
      let worlds = 0;
      beforeAll(() => { worlds += 1; });
      describe('a block', () => test('is late', () => expect(first('once')).toBe(false)));
      test('has a world of its own', () => expect(worlds).toBe(1));`,
    'test/real/start.test.js': `
      beforeAll(() => { if (first('start')) throw new Error('no world'); });
      test('waits for it', () => {});`,
  });
  expect(told).toEqual(['FLAKY test/e2e/once.test.js > a block > is late', 'FLAKY test/real/start.test.js']);
  expect(lines.some((line) => line.startsWith('  Error: no world'))).toBe(true);
  expect(last).toBe('5 passed, 0 failed');
  expect(exitCode).toBe(0);
});

test('what fails twice, fails in a unit test or hangs is red, and both tries together have the limit of one', async () => {
  const { exitCode, told, lines, last } = await ci(
    {
      'test/unit/once.test.js': `test('is late', () => expect(first('once')).toBe(false));`,
      'test/unit/stray.test.js': `test('lets go', async () => {
        Promise.reject(new Error('of nobody', { cause: new Error('a lost port') }));
        await new Promise(setImmediate);
      });`,
      'test/e2e/never.test.js': `test('never holds', () => { throw new Error('broken'); });`,
      'test/real/hangs.test.js': `test('hangs', () => {
        // The first try has to cost a second of the limit that bash counts in whole ones.
        if (first('hangs')) return new Promise((_, reject) => setTimeout(reject, 1_100, new Error('broken')));
        return new Promise(() => setInterval(() => {}, 1_000));
      });`,
    },
    20,
  );
  expect(told.toSorted()).toEqual([
    'FAILED npm run test: an error outside of every test',
    expect.stringMatching(/^FAILED npm run test:real: stopped at its limit of 1?\d s$/),
    'FAILED test/e2e/never.test.js > never holds',
    'FAILED test/real/hangs.test.js > hangs',
    'FAILED test/unit/once.test.js > is late',
  ]);
  expect(lines).toContain('  test/real/hangs.test.js was not at its end');
  expect(lines.join('\n')).toMatch(
    /Error: of nobody[\s\S]+while test\/unit\/stray.test.js ran[\s\S]+caused by Error: a lost port/,
  );
  expect(last).toBe('1 passed, 5 failed');
  expect(exitCode).toBe(1);
});
