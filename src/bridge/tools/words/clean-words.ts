import { withoutEscapes } from './escapes.ts';
import { withoutPaths } from './paths.ts';
import { withoutSecrets, withoutTokens } from './secrets.ts';
import { withoutStacks } from './stacks.ts';

/** Of a long text this much of its head, and of its tail, is looked at, characters. */
const read = 30_000;
/** Shown of it, characters. */
const shown = { all: 2_000, head: 1_300, tail: 600 };

/**
 * The words of a provider's error as the model and people may see them: no escapes, stacks, paths of this machine or
 * secrets, and 2,000 characters at most. Empty if nothing is left. Linear in the text.
 *
 * @param secrets what the provider was given in confidence
 */
export function cleanWords(text: string, secrets: readonly string[]): string {
  // Secrets go first and whole: the other steps may cut one into halves that nothing recognises.
  // A second time without escapes, as those may stand in the midst of one.
  const plain = withoutSecrets(withoutEscapes(ends(withoutSecrets(text, secrets))), secrets);
  const clean = withoutTokens(withoutPaths(withoutStacks(plain)))
    .replaceAll('…/…/', '…/')
    .trim();
  if (clean.length <= shown.all) return clean;
  const hidden = clean.length - shown.head - shown.tail;
  const [head, tail] = [clean.slice(0, shown.head), clean.slice(-shown.tail)];
  return `${head}\n[… ${hidden} characters not shown …]\n${tail}`.toWellFormed();
}

/** Head and tail of a text that is too long to be read, both cut at a blank: half a path or token would be shown. */
function ends(text: string): string {
  if (text.length <= 2 * read) return text;
  const head = text.slice(0, read);
  const tail = text.slice(-read);
  const until = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'), 0);
  const from = [tail.indexOf(' '), tail.indexOf('\n')].filter((at) => at >= 0);
  return `${head.slice(0, until)}\n…\n${from.length > 0 ? tail.slice(Math.min(...from)) : ''}`;
}
