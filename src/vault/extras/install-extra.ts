// Installs an extra beside its place, looks whether it can be loaded, and moves it there: it is whole or not there.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { claimDirectory } from '../../base/files/own-path.ts';
import { isRunning } from '../../base/process/process-identity.ts';
import { type ExtraName, extraFolder, shippedExtra } from './extra.ts';
import { diskFull, ExtraError } from './extra-error.ts';
import { loadPackages, npmInstall, type Running } from './run-npm.ts';

/**
 * Does nothing when it is there. Two at once are fine: one of them is kept. Older versions of it are removed.
 *
 * @param running.printed gets what npm says, line by line
 * @returns the folder of `extraFolder`
 * @throws ExtraError, UnsafePathError
 */
export async function installExtra(name: ExtraName, stateDir: string, running: Running): Promise<string> {
  const folder = extraFolder(stateDir, name);
  if (existsSync(folder)) return folder;
  try {
    await install(name, folder, running);
  } catch (error) {
    throw asExtraError(name, error);
  }
  const all = dirname(folder);
  for (const other of readdirSync(all))
    if (other.startsWith(`${name}-`) && other !== basename(folder)) remove(join(all, other));
  return folder;
}

async function install(name: ExtraName, folder: string, running: Running): Promise<void> {
  const all = claimDirectory(dirname(folder));
  removeAbandoned(all);
  const draft = mkdtempSync(join(all, `new-${process.pid}-`));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(shippedExtra(name), file), join(draft, file));
    await npmInstall(name, draft, running);
    await loadPackages(name, draft, packagesOf(draft), running);
    putInPlace(draft, folder);
  } finally {
    remove(draft);
  }
}

function putInPlace(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Somebody was faster.
    if (!existsSync(folder)) throw error;
  }
}

const packagesOf = (folder: string): string[] => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.keys(dependencies);
};

/** What a process that was killed left. */
function removeAbandoned(all: string): void {
  for (const name of readdirSync(all)) {
    const pid = /^new-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(all, name));
  }
}

/** Files may still be written into it by an npm that is about to end. */
const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });

function asExtraError(name: ExtraName, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  if (isFull) return diskFull(name, error);
  return new ExtraError(
    'not_writable',
    `"${name}" was not installed: the state folder cannot be written (${error.code}).`,
    'Check the state folder and its disk, then try again.',
    { cause: error },
  );
}
