// What looks wrong with a provider before anybody has tried it. No reason to refuse it: it may be installed later, and the
// bridge may see another machine than this shell does.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Provider } from '../../../protocol/settings/provider.ts';

/**
 * @param path the variable PATH of the caller
 * @param here the folder of the caller
 */
export function doubtsOf(provider: Provider, path: string, here: string): string[] {
  const { command, cwd, module, env } = provider;
  return [
    ...(command ? programDoubts(command, env.PATH ?? path) : []),
    ...(command && cwd === undefined ? command.slice(1).flatMap((word) => folderDoubts(word, here)) : []),
    ...(cwd !== undefined && !isFolder(cwd)
      ? [`The folder ${cwd} does not exist: make it, or the provider cannot start.`]
      : []),
    ...(module !== undefined && !existsSync(module)
      ? [`The file ${module} does not exist: the provider cannot be loaded until it does.`]
      : []),
  ];
}

function programDoubts([file = '']: readonly string[], path: string): string[] {
  // Windows finds programs by their endings, too.
  if (process.platform === 'win32') return [];
  if (isAbsolute(file))
    return isProgram(file)
      ? []
      : [`${file} is no program that can be started: correct its path, or make it executable (chmod +x).`];
  const found = path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, file)));
  return found ? [] : [`"${file}" was not found on PATH: install it, or name it by its whole path.`];
}

/** An argument that means a file of this folder means another one where the bridge is started. */
function folderDoubts(word: string, here: string): string[] {
  if (word.startsWith('-') || isAbsolute(word) || !/[./]/.test(word) || !existsSync(resolve(here, word)))
    return [];
  return [
    `"${word}" is in this folder, and the bridge may be started in another: name its whole path, or add --cwd.`,
  ];
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
