// Decides which dialogs a chat is asked about: those whose answer lets nothing loose.
import { type Dialog, knownDialog } from '../screen/dialogs.ts';
import { letsLoose, trustsFolder } from '../screen/lets-loose.ts';
import { type DrawnDialog, readDialog, readShown } from '../screen/read-dialog.ts';

/** What is not understood can only be left. @returns undefined for what no chat is to answer */
export function askable(rows: readonly string[]): DrawnDialog | undefined {
  const dialog = readShown(rows);
  const { known, text } = wordsOf(dialog);
  // `/theme` and `/login` draw those of the first start: a chat may only close them.
  if (known?.id === 'onboarding') return { ...dialog, options: [] };
  return isHarmless(known) && !trustsFolder(text) ? dialog : undefined;
}

/**
 * The same of what Claude Code shows before it takes its first message: what decides what it may do stands there. What is not
 * understood may be just that.
 *
 * @param isBare it has nothing on its screen yet but the dialog, so that all of that is its words
 */
export function askableAtStart(rows: readonly string[], isBare: boolean): DrawnDialog | undefined {
  const dialog = readDialog(rows);
  const { known, text } = wordsOf(dialog);
  if (!isHarmless(knownDialog(rows)) || !isHarmless(known)) return undefined;
  const keys = rows.findLast((row) => row.trim() !== '') ?? '';
  const told = isBare ? rows.join('\n') : `${text}\n${keys}`;
  return known || !letsLoose(told) ? dialog : undefined;
}

const isHarmless = (known: Dialog | undefined): boolean => known === undefined || known.harmless === true;

/** `known` by its own words alone: above it may be what Claude or somebody else wrote. */
function wordsOf(dialog: DrawnDialog | undefined): { known: Dialog | undefined; text: string } {
  const told = dialog ? [dialog.words, ...dialog.options.map(({ label }) => label)] : [];
  return { known: knownDialog(told), text: told.join('\n') };
}
