// Installs Portkey's gateway below this folder, with the lockfile that lies there. Never shipped, and nothing of the package
// depends on it. Does nothing when the pinned version is there already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, 'portkey');
const name = '@portkey-ai/gateway';
const installed = join(folder, 'node_modules', name);

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
}

const manifestIn = (dir: string): Manifest => {
  const path = join(dir, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {};
};

export interface Portkey {
  version: string;
  /** The program. */
  script: string;
}

/** @throws when npm fails */
export function installPortkey(): Portkey {
  const wanted = manifestIn(folder).dependencies?.[name];
  if (!wanted) throw new Error(`${folder} asks for no ${name}`);
  if (manifestIn(installed).version !== wanted) install();
  return { version: wanted, script: join(installed, 'build/start-server.js') };
}

function install(): void {
  // npm takes the first Node on its PATH.
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  // What it prints is no part of the answer.
  const { status } = spawnSync('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`"npm ${args.join(' ')}" failed in ${folder}`);
}
