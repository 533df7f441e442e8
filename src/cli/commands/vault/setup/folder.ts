// The folder of a vault as somebody typed it, looked at before anything is written.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { CliError } from '../../../cli-error.ts';

/** @returns its absolute path; links on the way are the user's own @throws CliError `no_folder`, `too_wide` */
export function vaultFolder(given: string): string {
  const path = resolve(given.replace(/^~(?=$|[\\/])/, homedir()));
  let real: string;
  try {
    if (!statSync(path).isDirectory()) throw noFolder(path, 'is not a folder');
    readdirSync(path);
    real = realpathSync(path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw noFolder(path, whyUnread(error));
  }
  const isWide = real === parse(real).root || real === realHome();
  if (isWide && !existsSync(join(real, '.obsidian'))) throw tooWide(path);
  return path;
}

function realHome(): string | undefined {
  try {
    return realpathSync(homedir());
  } catch {
    return undefined;
  }
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'is not a folder';
  return code === 'EACCES' || code === 'EPERM' ? 'must not be read by you' : `cannot be read (${code})`;
}

const noFolder = (path: string, why: string): CliError =>
  new CliError(
    'usage',
    'no_folder',
    `${path} ${why}. Nothing was changed.`,
    'Name the folder that your notes are in.',
  );

/** Everything of a person, or of the machine, is hardly what was meant. */
const tooWide = (path: string): CliError =>
  new CliError(
    'usage',
    'too_wide',
    `${path} holds far more than notes. Nothing was changed.`,
    'Name the folder in it that your notes are in.',
  );
