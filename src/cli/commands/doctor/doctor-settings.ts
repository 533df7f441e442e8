// Settings of which only one thing can be meant.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Fixed } from '../../../bridge/doctor/fix/fix.ts';
import {
  type ConfigLayer,
  readConfigFile,
  valueAt,
  withValue,
  writeConfigFile,
} from '../../config/config-file.ts';

/** Writes `~` of folders out: only a shell does so by itself. Nothing is changed where it could mean anything else. */
export function fixSettings(path: string, env: Readonly<Record<string, string | undefined>>): Fixed[] {
  const before = readConfigFile(path);
  const found = folderKeys(before).flatMap((key) => {
    const said = valueAt(before, key);
    const meant = typeof said === 'string' ? writtenOut(said, env.HOME || homedir()) : undefined;
    return meant === undefined ? [] : [{ key, said, meant }];
  });
  if (found.length === 0) return [];
  writeConfigFile(
    path,
    found.reduce((layer, { key, meant }) => withValue(layer, key, meant), before),
  );
  return found.map(({ key, said, meant }) => ({
    name: 'folders',
    message: `\`${key}\` is ${meant} now (it was ${said}, and only a shell knows what "~" is).`,
    done: true,
  }));
}

function folderKeys({ profiles }: ConfigLayer): string[] {
  const own = Array.isArray(profiles) ? profiles.map((_, at) => `profiles.${at}.cwd`) : [];
  return ['cwd', ...own];
}

/** @returns undefined for what is not `~/…`, or is a folder as it stands, or is none in the home folder */
function writtenOut(said: string, home: string): string | undefined {
  if (!/^~(?:\/|$)/.test(said) || isFolder(resolve(said))) return undefined;
  const meant = join(home, said.slice(1));
  return isFolder(meant) ? meant : undefined;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
