// What another user may have left in a folder that was open to him.
import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Puts something in the place of a file or folder. @returns a check that what it leads to was not touched */
export type Plant = (path: string) => () => boolean;

/** A file of the user's that must not be read, written or emptied; outside of the planted folder. */
function victimOf(path: string): { file: string; untouched(): boolean } {
  const folder = `${dirname(path)}-victim`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const file = join(folder, 'victim');
  writeFileSync(file, 'untouched', { mode: 0o644 });
  const untouched = () =>
    readFileSync(file, 'utf8') === 'untouched' && (lstatSync(file).mode & 0o777) === 0o644;
  return { file, untouched };
}

export const linkToFile: Plant = (path) => {
  const { file, untouched } = victimOf(path);
  symlinkSync(file, path);
  return untouched;
};

export const linkToNothing: Plant = (path) => {
  const target = `${path}-made-by-a-link`;
  symlinkSync(target, path);
  return () => lstatSync(target, { throwIfNoEntry: false }) === undefined;
};

export const linkToFolder: Plant = (path) => {
  const { file, untouched } = victimOf(path);
  symlinkSync(dirname(file), path);
  return untouched;
};

export const hardLink: Plant = (path) => {
  const { file, untouched } = victimOf(path);
  linkSync(file, path);
  return untouched;
};

/** Whoever opens it waits for somebody at its other end. */
export const fifo: Plant = (path) => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
  return () => lstatSync(path).isFIFO();
};

export const folder: Plant = (path) => {
  mkdirSync(path);
  return () => lstatSync(path).isDirectory();
};
