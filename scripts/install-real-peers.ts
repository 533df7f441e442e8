// Installs the real Claude Code and OpenClaw into test/real, for `npm run test:real` only: about 1 GB, never shipped.
// Does nothing when the pinned versions are there already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../test/real');

const readManifest = (path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as { version?: string; dependencies?: Record<string, string> };

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
  peers().every(({ wanted, found }) => wanted === found) && starts('claude') && starts('openclaw');

for (const { name, wanted, found } of peers()) console.log(`${name} ${wanted}: ${found ?? 'not installed'}`);
if (complete()) {
  console.log('The real peers are in place.');
} else {
  console.log(`Installing the real peers into ${folder} (about 1 GB) …`);
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  if (status !== 0)
    console.error(`npm ci failed${error ? `: ${error.message}` : ` with exit code ${status}`}.`);
  else if (!complete()) {
    console.error(
      'The peers are installed but do not start. Were their install scripts blocked? See "allowScripts".',
    );
  }
  if (status !== 0 || !complete()) process.exit(1);
  console.log('The real peers are in place.');
}
