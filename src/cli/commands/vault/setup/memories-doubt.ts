// Whether memories can be where the settings say, and are found again.
import type { VaultSettings } from '../../../../protocol/settings/vault.ts';

export interface MemoriesDoubt {
  words: string;
  /** None can be written there. */
  isFault: boolean;
}

/** Looks at names only, not at the disk. */
export async function memoriesDoubt(settings: VaultSettings): Promise<MemoriesDoubt | undefined> {
  const { inside, OutsideError } = await import('../../../../vault/files/inside.ts');
  const { refuseUnlisted } = await import('../../../../vault/files/folder.ts');
  const { noteFilter } = await import('../../../../vault/files/note-filter.ts');
  const { path, memories } = settings;
  let folder: string;
  try {
    folder = inside(path, memories);
    for (const part of folder.split('/')) refuseUnlisted(memories, part);
  } catch (error) {
    if (error instanceof OutsideError) return { words: error.message, isFault: true };
    throw error;
  }
  if (noteFilter(settings).isNote(`${folder}/A memory.md`)) return undefined;
  const words = `What is written to ${folder} will not be found: the patterns leave it out.`;
  return { words, isFault: false };
}
