// Whether notes can be found by their meaning: asked as a search asks it, since what merely opens may be broken.
import { type Check, failed, ok, warning } from '../../../../domain/views/check.ts';
import { countText } from '../../../output/live/progress-line.ts';
import { VaultFacts } from '../index-state/facts.ts';
import { opened } from '../index-state/opened.ts';
import { type Choice, commandFor } from './choice.ts';

/** @throws UnsafePathError */
export async function meaningCheck(
  state: string,
  choice: Choice,
  profile: string | undefined,
): Promise<Check> {
  const name = 'meaning';
  using open = await opened(state, choice);
  const { data, error } = await open.vault.status();
  const facts = VaultFacts.safeParse(data).data?.embeddings;
  if (!facts || facts.done === null || facts.total === null)
    return failed(name, error?.message ?? 'It cannot be asked.', error?.suggestion ?? '');
  const maker = facts.model ?? facts.by;
  if (facts.done >= facts.total) return ok(name, `${maker} has seen all ${countText(facts.total)} parts.`);
  return warning(
    name,
    `${maker} has seen ${countText(facts.done)} of ${countText(facts.total)} parts.`,
    `Run \`${commandFor('index', profile)}\`.`,
  );
}
