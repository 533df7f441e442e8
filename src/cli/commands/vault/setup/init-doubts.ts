// What looks wrong with a vault that is being chosen, and is no reason to refuse it.
import type { VaultSettings } from '../../../../protocol/settings/vault.ts';
import { CliError } from '../../../cli-error.ts';
import { memoriesDoubt } from './memories-doubt.ts';

/** @throws CliError `no_folder` when memories could not be written where it says */
export async function initDoubts(settings: VaultSettings): Promise<string[]> {
  const { walkNotes } = await import('../../../../vault/files/walk.ts');
  const { path, include } = settings;
  const doubt = await memoriesDoubt(settings);
  if (doubt?.isFault)
    throw new CliError(
      'usage',
      'no_folder',
      `The folder of memories: ${doubt.words} Nothing was changed.`,
      'Name a folder inside of the vault, such as --memories Memories.',
    );
  const warnings = doubt ? [doubt.words] : [];
  if (walkNotes(path, settings).notes.size > 0) return warnings;
  return [
    `No file in ${path} fits ${include.join(', ')}. Choose which are notes with --include, such as --include '**/*.txt', and --replace.`,
    ...warnings,
  ];
}
