// Installs the real Claude Code, OpenClaw and clients into test/real, for `npm run test:real` only: about 1.5 GB, never
// shipped. Does nothing when the pinned versions are there already. With `--latest`: the newest ones on npm, into a
// folder of their own; the pinned ones stay as they are. The extras of the vault, whose versions we ship, come as well,
// by what installs them for everybody.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isInstalled } from '../src/vault/extras/extra.ts';
import { installExtra } from '../src/vault/extras/install-extra.ts';

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

const pinned = resolve(import.meta.dirname, '../test/real');
const latest = process.argv.includes('--latest');
const folder = latest ? join(pinned, 'latest') : pinned;

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** Arguments of npm. The newest releases have no lockfile: what is newest is asked each time. */
function installation(): string[] {
  if (!latest) return ['ci'];
  const { dependencies = {}, allowScripts = {} } = readManifest(join(pinned, 'package.json'));
  const anyVersion = Object.entries(allowScripts).map(([name, may]) => [name.replace(/(?<=.)@.*/, ''), may]);
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, allowScripts: Object.fromEntries(anyVersion) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return [
    'install',
    '--save-exact',
    '--no-package-lock',
    ...Object.keys(dependencies).map((name) => `${name}@latest`),
  ];
}

/** Names with the version that is asked for and the one that is there, if any. */
function peers(): { name: string; wanted: string; found: string | undefined }[] {
  const { dependencies = {} } = readManifest(join(folder, 'package.json'));
  return Object.entries(dependencies).map(([name, wanted]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return { name, wanted, found: existsSync(manifest) ? readManifest(manifest).version : undefined };
  });
}

/** Claude Code's npm package holds a placeholder until its install script has put the native program there. */
function starts(program: string): boolean {
  const path = join(folder, 'node_modules/.bin', program);
  return (
    existsSync(path) &&
    spawnSync(path, ['--version'], { env: { ...env, HOME: tmpdir() }, timeout: 60_000 }).status === 0
  );
}

// The Node that runs this script goes first: OpenClaw refuses older ones, and npm's scripts take the first on PATH.
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

const complete = () =>
  peers().every(({ wanted, found }) => wanted === found) && ['claude', 'openclaw', 'codex'].every(starts);

if (!latest)
  for (const { name, wanted, found } of peers())
    console.log(`${name} ${wanted}: ${found ?? 'not installed'}`);
if (!latest && complete()) {
  console.log('The real peers are in place.');
} else {
  console.log(`Installing the real peers into ${folder} (about 1.5 GB) …`);
  const { status, error } = spawnSync('npm', [...installation(), '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) console.error(`npm failed${error ? `: ${error.message}` : ` with exit code ${status}`}.`);
  else if (!complete()) {
    console.error(
      'The peers are installed but do not start. Were their install scripts blocked? See "allowScripts".',
    );
  }
  if (status !== 0 || !complete()) process.exit(1);
  for (const { name, found } of peers()) console.log(`${name} ${found}`);
  console.log('The real peers are in place.');
}

const extras = join(pinned, 'extras');
if (!latest)
  for (const name of ['lancedb', 'sentence-encoder'] as const) {
    if (!isInstalled(extras, name)) console.log(`Installing ${name} into ${extras} …`);
    await installExtra(name, extras, { printed: console.log });
    console.log(`${name} is in place.`);
  }
