// Against an npm that is a small script: what npm itself does with the real packages, test/real/vault-lancedb.test.ts shows.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { extraFolder, extrasFolder, isInstalled, shippedExtra } from '../../../src/vault/extras/extra.ts';
import { ExtraError } from '../../../src/vault/extras/extra-error.ts';
import { installExtra } from '../../../src/vault/extras/install-extra.ts';
import { tempFolder } from '../temp-vault.ts';

/** Does what npm does: a package that can be loaded for each that the manifest names. */
const installs = `
  const fs = require('node:fs');
  for (const name of Object.keys(JSON.parse(fs.readFileSync('package.json', 'utf8')).dependencies)) {
    fs.mkdirSync('node_modules/' + name, { recursive: true });
    fs.writeFileSync('node_modules/' + name + '/index.js', '');
  }
  fs.appendFileSync(__dirname + '/runs', process.argv.slice(2).join(' ') + '\\n');
  console.log('added 3 packages');
`;

let stateDir: string;
let bin: string;

beforeEach(() => {
  stateDir = join(tempFolder(), 'state');
  bin = tempFolder();
  npmThat(installs);
  // Node too, for the script's first line.
  vi.stubEnv('PATH', [bin, join(process.execPath, '..')].join(delimiter));
  return () => vi.unstubAllEnvs();
});

function npmThat(does: string): void {
  writeFileSync(join(bin, 'npm'), `#!${process.execPath}\n${does}`, { mode: 0o755 });
}

const install = (signal?: AbortSignal) =>
  installExtra('lancedb', stateDir, { printed: () => {}, ...(signal && { signal }) });

async function refusal(signal?: AbortSignal): Promise<ExtraError> {
  const error = await install(signal).catch((thrown: unknown) => thrown);
  if (!(error instanceof ExtraError)) throw error;
  expect(error.message).toMatch(/\. Nothing was changed\.$/);
  expect(isInstalled(stateDir, 'lancedb')).toBe(false);
  expect(readdirSync(extrasFolder(stateDir))).toEqual([]);
  return error;
}

test('it is installed from what we ship, without scripts, and a second time nothing is done', async () => {
  expect(isInstalled(stateDir, 'lancedb')).toBe(false);
  const printed: string[] = [];
  const folder = await installExtra('lancedb', stateDir, { printed: (line) => printed.push(line) });
  expect(folder).toBe(extraFolder(stateDir, 'lancedb'));
  expect(isInstalled(stateDir, 'lancedb')).toBe(true);
  expect(isInstalled(stateDir, 'sentence-encoder')).toBe(false);
  for (const file of ['package.json', 'package-lock.json'])
    expect(readFileSync(join(folder, file), 'utf8')).toBe(
      readFileSync(join(shippedExtra('lancedb'), file), 'utf8'),
    );
  expect(printed).toEqual(['added 3 packages']);
  expect(await install()).toBe(folder);
  expect(readFileSync(join(bin, 'runs'), 'utf8')).toMatch(/^ci .*--ignore-scripts.*\n$/);
});

test('two at once are one', async () => {
  const folders = await Promise.all([install(), install()]);
  expect(new Set(folders).size).toBe(1);
  expect(readdirSync(extrasFolder(stateDir))).toHaveLength(1);
});

test('older versions of it go, and what a killed process left; another extra and a living process stay', async () => {
  const all = extrasFolder(stateDir);
  const beside = [
    'lancedb-00000000',
    'sentence-encoder-00000000',
    'new-999999999-abc',
    `new-${process.pid}-abc`,
  ];
  for (const name of beside) mkdirSync(join(all, name), { recursive: true });
  const folder = await install();
  expect(readdirSync(all).map((name) => join(all, name))).toEqual([
    folder,
    ...['new-', 'sentence-encoder-00000000'].map((start) =>
      join(all, beside.findLast((name) => name.startsWith(start)) ?? ''),
    ),
  ]);
});

test('npm is not there', async () => {
  vi.stubEnv('PATH', tempFolder());
  const error = await refusal();
  expect(error.fault).toBe('npm_missing');
  expect(error.message).toContain('npm was not found');
});

test('npm fails: its words, without colours, passwords or where its log is', async () => {
  npmThat(`
    console.log('something before');
    console.error('\\u001b[31mnpm error\\u001b[39m code E404');
    console.error('npm error 404 Not Found - GET https://jo:hunter2@registry.example/x');
    console.error('npm error //registry.example/:_authToken=hunter2');
    console.error('npm error A complete log of this run can be found in: /home/jo/.npm/_logs/1.log');
    process.exit(1);
  `);
  const { fault, message } = await refusal();
  expect(fault).toBe('npm_failed');
  expect(message).toBe(
    'npm did not install "lancedb": code E404; 404 Not Found - GET https://***@registry.example/x; ' +
      '//registry.example/:_authToken=***. Nothing was changed.',
  );
});

test('npm fails and says a lot, or nothing', async () => {
  npmThat(
    `for (let at = 0; at < 5000; at += 1) console.error('npm error ' + 'x'.repeat(300)); process.exitCode = 1;`,
  );
  expect((await refusal()).message.length).toBeLessThan(700);
  npmThat('process.exit(3)');
  expect((await refusal()).message).toContain('it did not say why');
});

test('the disk is full: npm fails, or cuts files off and is content', async () => {
  npmThat(`console.error('npm error code ENOSPC'); process.exit(228);`);
  expect((await refusal()).fault).toBe('disk_full');
  npmThat(
    `console.error('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write'); ${installs}`,
  );
  expect((await refusal()).fault).toBe('disk_full');
});

test('a file that npm only warns of', async () => {
  npmThat(`console.error('npm warn tar TAR_ENTRY_ERROR EIO: i/o error, write'); ${installs}`);
  const { fault, message } = await refusal();
  expect(fault).toBe('npm_failed');
  expect(message).toContain('TAR_ENTRY_ERROR EIO');
});

test('the state folder cannot be made', async () => {
  const file = join(bin, 'file');
  writeFileSync(file, '');
  const error = await installExtra('lancedb', file, { printed: () => {} }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ExtraError', fault: 'not_writable' });
});

test('npm is content, and what it installed cannot be loaded', async () => {
  npmThat(
    installs.replace(`'/index.js', ''`, `'/index.js', 'throw new Error("no build for this platform")'`),
  );
  const error = await refusal();
  expect(error.fault).toBe('cannot_load');
  expect(error.message).toContain('no build for this platform');
});

test('stopped half-way, there is nothing in its place, and it can be installed afterwards', async () => {
  const started = join(bin, 'started');
  npmThat(
    `${installs}; require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000);`,
  );
  const stop = new AbortController();
  const refused = refusal(stop.signal);
  await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 20_000 });
  stop.abort();
  expect((await refused).fault).toBe('cancelled');
  npmThat(installs);
  expect(existsSync(await install())).toBe(true);
});
