// Which dialogs a chat is asked: those that it understands, and whose answer lets nothing loose.
import { type Dialog, knownDialog } from '../screen/dialogs.ts';
import { letsLoose, trustsFolder } from '../screen/lets-loose.ts';
import { type DrawnDialog, readDialog } from '../screen/read-dialog.ts';

/** @returns undefined for what is not understood, and for what no chat is to answer */
export function askable(rows: readonly string[]): DrawnDialog | undefined {
  const { dialog, known, text } = readAsked(rows);
  // `/theme` and `/login` draw those of the first start: a chat may only close them.
  if (dialog && known?.id === 'onboarding') return { ...dialog, options: [] };
  return isHarmless(known) && !trustsFolder(text) ? dialog : undefined;
}

/**
 * The same of what Claude Code shows before it takes its first message: what decides what it may do stands there.
 *
 * @param isBare it has nothing on its screen yet but the dialog, so that all of that is its words
 */
export function askableAtStart(rows: readonly string[], isBare: boolean): DrawnDialog | undefined {
  const { dialog, known, text } = readAsked(rows);
  if (!isHarmless(knownDialog(rows)) || !isHarmless(known)) return undefined;
  const keys = rows.findLast((row) => row.trim() !== '') ?? '';
  const told = isBare ? rows.join('\n') : `${text}\n${keys}`;
  return known || !letsLoose(told) ? dialog : undefined;
}

const isHarmless = (known: Dialog | undefined): boolean => known === undefined || known.harmless === true;

/** `known` by its own words alone: above it may be what Claude or somebody else wrote. */
function readAsked(rows: readonly string[]) {
  const dialog = readDialog(rows);
  const told = dialog ? [dialog.words, ...dialog.options.map(({ label }) => label)] : [];
  return { dialog, known: knownDialog(told), text: told.join('\n') };
}
