// What no longer fits between an installed unit or agent and this machine.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { version } from '../../version.ts';
import type { ServiceKind } from './kind.ts';
import type { InstalledUnit } from './unit-file.ts';

/** Each is a whole sentence; none when all is well. */
export function doubtsOf({ noun, text: textOf }: ServiceKind, { text, settings }: InstalledUnit): string[] {
  if (!settings) return [`The ${noun} was not made by synthesis, or was changed.`];
  const doubts: string[] = [];
  if (settings.version !== version)
    doubts.push(`The ${noun} is of release ${settings.version}; this one is ${version}.`);
  else if (text !== textOf(settings)) doubts.push(`The ${noun} was changed by hand.`);
  for (const [name, path] of [
    ['Node', settings.node],
    ['synthesis', settings.program],
    ['the folder of its sessions', settings.cwd],
  ] as const)
    if (!existsSync(path)) doubts.push(`The ${noun} names ${path} for ${name}, which is not there any more.`);
  if (settings.claude === null) doubts.push('Claude Code was not found when the service was installed.');
  else if (!existsSync(settings.claude))
    doubts.push(
      `Claude Code was at ${settings.claude} when the service was installed, and is not there any more.`,
    );
  return doubts;
}

/** @returns absolute path of a program, looked for as a shell does; undefined when it is not there */
export function findProgram(name: string, path: string): string | undefined {
  const places = name.includes('/')
    ? [resolve(name)]
    : path.split(delimiter).flatMap((dir) => (dir === '' ? [] : [resolve(join(dir, name))]));
  return places.find((place) => {
    try {
      accessSync(place, name.includes('/') ? constants.F_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
