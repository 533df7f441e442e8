// Files that Claude hands to a chat. It asks nobody for them, so only what lies in its working folder leaves the machine.
import { open, realpath } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { ToolFailure } from './tool-envelope.ts';

/** Largest file, bytes: as base64 it has to fit into one frame of 25 MiB (measured on OpenClaw 2026.9.6). */
const largestFile = 16 * 1024 * 1024;

/**
 * @param path as Claude named it; relative to the folder
 * @param folder the session's working folder
 * @returns parameters of the gateway's `send`
 * @throws ToolFailure
 */
export async function fileParams(path: string, folder: string): Promise<object> {
  const real = await place(path, folder);
  const file = await open(real, 'r').catch(() => refuse(path, 'it cannot be read'));
  try {
    const about = await file.stat();
    if (!about.isFile()) refuse(path, 'it is no file');
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

function refuse(path: string, why: string): never {
  throw new ToolFailure('FILE_REFUSED', `${path} was not sent: ${why}.`);
}
