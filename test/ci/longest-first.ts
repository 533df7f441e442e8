// In which order vitest starts the test files: what takes minutes first, so that nobody waits for it alone at the end, and
// project by project, whose files share workers. By itself it goes by what it measured before, which a clean checkout has
// not, and then by the size of the files.
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than most of their project on an idle machine, the longest first. */
export const longest = {
  e2e: [
    'tui',
    'outlives',
    'cli',
    'operator-commands',
    'setup',
    'agent-failures',
    'takeover',
    'takeover-soak',
  ],
  long: ['durable.long', 'vault-meaning.long', 'stdio-transport.long', 'lost-servers.long'],
  real: [
    'telegram',
    'openclaw-install',
    'clients',
    'preview-race',
    'vault-quality',
    'agents',
    'vault',
    'gateway-dies',
    'telegram-speaks-first',
    'permissions',
    'openclaw',
    'telegram-tools',
    'telegram-messages',
    'telegram-approvals',
    'cluster',
    'outlives',
    'telegram-steering',
    'isolation',
    'lent-tools',
  ],
};

const projects = ['e2e', 'long', 'unit', 'real'];

/** What is compared first, then what is compared second. Files that are not among the longest are behind those. */
function placeOf({ moduleId, project }: TestSpecification): [number, number] {
  const those = longest[project.name as keyof typeof longest] ?? [];
  const place = those.indexOf(basename(moduleId, '.test.ts'));
  return [projects.indexOf(project.name), place < 0 ? those.length : place];
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map((file) => ({ file, place: placeOf(file) }));
    return sorted
      .toSorted(({ place: a }, { place: b }) => a[0] - b[0] || a[1] - b[1])
      .map(({ file }) => file);
  }
}
