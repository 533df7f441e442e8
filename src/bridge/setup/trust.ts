import { type Check, warning } from '../../domain/views/check.ts';
import { untrusted } from './claude-answers.ts';
import type { WorkPlace } from './work-places.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * @param sound places: of a folder in which nobody can work something else is said
 * @returns undefined: Claude Code was never set up
 */
export async function trustFindings(sound: readonly WorkPlace[], env: Env): Promise<Check[] | undefined> {
  const folders = new Set(sound.map(({ folder }) => folder));
  const strange = await untrusted([...folders], env);
  return strange?.map((folder) =>
    warning(
      'first-run',
      `Claude Code does not trust ${folder} yet.`,
      `Run \`claude\` in ${folder} once and accept it.`,
    ),
  );
}
