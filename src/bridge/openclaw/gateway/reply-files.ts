// Files that Claude hands to a chat. It asks nobody for them, so only what lies in its working folder leaves the machine,
// and of that nothing which the bridge or Claude Code keeps for itself.
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ToolFailure } from '../../../domain/tools/tool-envelope.ts';

/** Largest file, bytes: as base64 it has to fit into one frame of 25 MiB (measured on OpenClaw 2026.9.6). */
const largestFile = 16 * 1024 * 1024;

/** What is in the place of a name must not be followed, nor waited for. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * @param path as Claude named it; relative to the folder
 * @param folder the session's working folder
 * @param neverSent files, and folders with all that is in them
 * @returns parameters of the gateway's `send`
 * @throws ToolFailure
 */
export async function fileParams(
  path: string,
  folder: string,
  neverSent: readonly string[],
): Promise<object> {
  const real = await place(path, folder);
  if (await isAmong(real, neverSent)) refuse(path, 'it belongs to the bridge or to Claude Code itself');
  const file = await open(real, flags).catch(() => refuse(path, 'it cannot be read'));
  try {
    const about = await file.stat();
    if (!about.isFile()) refuse(path, 'it is no file');
    // Under its other name it may be any file at all.
    if (about.nlink > 1) refuse(path, 'it has a second name somewhere else (a hard link); send a copy');
    if (about.size > largestFile) refuse(path, `it is larger than ${largestFile / 1024 / 1024} MB`);
    return { buffer: (await file.readFile()).toString('base64'), filename: basename(path) };
  } finally {
    await file.close();
  }
}

async function place(path: string, folder: string): Promise<string> {
  const home = await realpath(folder).catch(() => resolve(folder));
  const real = await realpath(resolve(home, path)).catch(() => refuse(path, 'there is no such file'));
  const inside = relative(home, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    refuse(path, 'only files in the working folder can be sent');
  return real;
}

/** By what the disk calls them: a spelling may differ in case, and a folder may be mounted twice. */
async function isAmong(real: string, places: readonly string[]): Promise<boolean> {
  const kept = new Set(await Promise.all(places.map(identity)));
  for (let at = real; ; at = dirname(at)) {
    const it = await identity(at);
    if (it !== undefined && kept.has(it)) return true;
    if (at === dirname(at)) return false;
  }
}

async function identity(path: string): Promise<string | undefined> {
  const about = await stat(path, { bigint: true }).catch(() => undefined);
  return about && `${about.dev}:${about.ino}`;
}

function refuse(path: string, why: string): never {
  throw new ToolFailure('FILE_REFUSED', `${path} was not sent: ${why}.`);
}
