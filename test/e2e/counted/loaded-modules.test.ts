// What the built program really loads for a short command.
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const root = resolve(import.meta.dirname, '../../..');
const tracer = join(root, 'bench/counts/trace-loads.mjs');

interface Trace {
  urls: string[];
  builtins: string[];
}

async function trace(home: Home, ...args: string[]): Promise<Trace> {
  const file = join(home.path, 'trace.json');
  const env = {
    SYNTHESIS_TOKEN: '',
    NODE_OPTIONS: `--import ${pathToFileURL(tracer).href}`,
    TRACE_FILE: file,
  };
  await home.run(args, { env });
  return JSON.parse(readFileSync(file, 'utf8')) as Trace;
}

/** Words that stand in the source of a package and nowhere else. */
const marks = {
  zod: 'ZodError',
  ink: 'yoga',
  ws: 'permessage-deflate',
  json: 'forbidden prototype property',
  xterm: 'BufferService',
  /** Alphabets take a millisecond to fetch. */
  unicode: '\\p{ID_Continue}',
};

/** What is loaded for a moment alone. */
function expectLean({ files, builtins }: { files: string[]; builtins: string[] }): void {
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const found = Object.entries(marks).filter(([, mark]) => texts.some((text) => text.includes(mark)));
  expect(found.map(([name]) => name)).toEqual([]);
  // With any other sign in it V8 would hold a file in twice the memory.
  expect(texts.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([]);
  expect(
    builtins.filter((name) =>
      /^(?:https?|http2|_http_\w+|child_process|crypto|internal\/deps\/undici\/undici)$/.test(name),
    ),
  ).toEqual([]);
}

/** Of ours. */
const filesOf = ({ urls }: Trace): string[] =>
  urls.map((url) => fileURLToPath(url)).filter((file) => file !== tracer);

test.each([['ps'], ['approve', 'abcde'], ['deny', 'abcde'], ['--help'], ['wait', 'x'], ['inspect', 'x']])(
  '%s loads three files of ours, none of them with zod, ink, ws or an emulator in it, and no HTTP client',
  async (...args) => {
    await using home = new Home();
    await home.up();
    const place = args[0] === '--help' ? [] : ['--state-dir', home.state];
    const traced = await trace(home, ...args, ...place);
    const files = filesOf(traced);
    expect(files.map((file) => relative(root, file))).toEqual([
      'bin/synthesis.js',
      'dist/cli/kept-main.cjs',
      'dist/cli/main.cjs',
    ]);
    expectLean({ ...traced, files });
  },
);

test('ps without a bridge looks for hosts, and loads nothing of what talks to them, and no more of Node', async () => {
  await using home = new Home();
  const traced = await trace(home, 'ps', '--state-dir', home.state);
  const files = filesOf(traced);
  expect(files.filter((file) => /outlived/.test(file)).length).toBeGreaterThan(0);
  expect(files.filter((file) => /take-host|hosted|log-/.test(file))).toEqual([]);
  expectLean({ ...traced, files });
});

test('the marks are found where a command does need them', async () => {
  await using home = new Home();
  const { urls } = await trace(home, 'config', 'get');
  const texts = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
  expect(texts.some((text) => text.includes(marks.zod))).toBe(true);
});

test('what sessions need is loaded behind the ready line, before an update of the package takes it away', async () => {
  await using home = new Home();
  home.configure({ log: { level: 'debug' } });
  const file = join(home.path, 'trace.json');
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(tracer).href}`, TRACE_FILE: file };
  const bridge = await home.up({ env });
  const log = () => readFileSync(join(home.state, 'bridge.log'), 'utf8');
  // It is started behind all of them.
  await until('a spare host', () => log().includes('a spare host waits'), 20_000);
  await bridge.end();
  const { urls } = JSON.parse(readFileSync(file, 'utf8')) as Trace;
  const texts = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
  for (const mark of ['synthesis-host-', 'still waiting for the result', 'stripFinalNewline'])
    expect(
      texts.some((text) => text.includes(mark)),
      mark,
    ).toBe(true);
});

test('a bridge without providers of tools loads nothing of them, and one with a provider does', async () => {
  const isLoaded = async (config: object) => {
    await using home = new Home();
    home.configure(config);
    const file = join(home.path, 'trace.json');
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(tracer).href}`, TRACE_FILE: file };
    await (await home.up({ env })).end();
    const { urls } = JSON.parse(readFileSync(file, 'utf8')) as Trace;
    const files = urls.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
    return files.some((text) => text.includes('synthesis/health'));
  };
  expect(await isLoaded({})).toBe(false);
  expect(await isLoaded({ providers: [{ name: 'cat', command: ['cat'] }] })).toBe(true);
});
