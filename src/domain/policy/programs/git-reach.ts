// What a git command may do beyond its words.
import { gitGlobals, gitManners, harmlessSetting } from './git.ts';
import { type Given, readOptions } from './options.ts';
import { type Reach, reachOf } from './reach.ts';

export function gitReach(words: readonly Given[]): Reach | undefined {
  const globals = readOptions(gitGlobals, words, 1, true);
  const at = globals?.rest[0];
  const sub = at === undefined ? undefined : words[at]?.text;
  if (!globals || at === undefined || sub === undefined) return undefined;
  if (!globals.options.every(({ name, value }) => name !== '-c' || setsHarmless(value))) return undefined;
  const second = `${sub}/${words[at + 1]?.text}`;
  const [manner, place] = gitManners.has(second)
    ? [gitManners.get(second), at + 1]
    : [gitManners.get(sub), at];
  const reach = manner && reachOf(manner, words, place);
  if (!reach) return undefined;
  const rest = words.slice(place + 1).map(({ text }) => text);
  // `ext::sh -c …` is an address that runs a program.
  if (reach.speaks !== 'no' && rest.some((text) => text === undefined || text.includes('::')))
    return undefined;
  if (sub === 'config' && !readsOnly(rest)) return undefined;
  return { ...reach, at };
}

const setsHarmless = (setting: string | undefined): boolean =>
  setting !== undefined && harmlessSetting.test(setting.split('=', 1)[0] ?? '');

/** `git config user.name`, or a setting that chooses no program. */
function readsOnly(words: readonly (string | undefined)[]): boolean {
  const [name, ...values] = words.filter((word) => !word?.startsWith('-'));
  const gets = words.some((word) => /^(?:-l|--list|--get.*)$/.test(word ?? ''));
  return gets || values.length === 0 || setsHarmless(name);
}
