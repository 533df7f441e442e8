// In which order vitest starts the test files: what takes minutes first, so that nobody waits for it alone at the end. By
// itself it goes by what it measured before, which a clean checkout has not, and then by the size of the files.
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of `test/real` that take 100 s and more on an idle machine, the longest first. */
export const longest = [
  'telegram.test.ts',
  'openclaw-install.test.ts',
  'preview-race.test.ts',
  'vault-quality.test.ts',
  'openclaw.test.ts',
  'gateway-dies.test.ts',
  'vault.test.ts',
];

/** Place of a file that is not among them: behind all that are. */
function placeOf({ moduleId, project }: TestSpecification): number {
  const place = project.name === 'real' ? longest.indexOf(basename(moduleId)) : -1;
  return place < 0 ? longest.length : place;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
