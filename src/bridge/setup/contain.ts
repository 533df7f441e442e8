// Whether Claude Code can be contained where the configuration wants it.

import { type Check, failed, warning } from '../../domain/views/check.ts';
import { containModes } from '../../domain/views/contain-modes.ts';
import type { Config } from '../../protocol/settings/config.ts';
import { type ContainFault, containFault, folderAtFault } from '../claude/contain/contain-fault.ts';

const name = 'contain';

type Env = Readonly<Record<string, string | undefined>>;
type Wanted = Pick<Config, 'contain' | 'profiles'>;

/** What keeps it from being so. @param folders in which sessions work */
export async function containFindings(
  config: Wanted,
  folders: readonly string[],
  env: Env,
): Promise<Check[]> {
  const modes = containModes(config);
  if (!modes.has('on') && !modes.has('required')) return [];
  const fault = (await containFault(env)) ?? firstFault(folders, env);
  if (!fault) return [];
  const { words, remedy } = fault;
  return [
    ...(modes.has('required')
      ? [failed(name, `Sessions that are to be contained get no answer. ${words}`, remedy)]
      : []),
    ...(modes.has('on')
      ? [warning(name, `Sessions that are to be contained run as you. ${words}`, remedy)]
      : []),
  ];
}

const firstFault = (folders: readonly string[], env: Env): ContainFault | undefined =>
  folders.map((folder) => folderAtFault(folder, env)).find((fault) => fault !== undefined);
