// Pure: screen → dialog. None is answered but by a person; the single exception is decided by mayConfirm.
import { developmentChannels, type KnownDialog, knownDialogs, unknownDialog } from './dialog-table.ts';
import { viewOn } from './views.ts';

export type Dialog = Omit<KnownDialog, 'marks'>;

/** The known dialog on the screen, if any. */
export function knownDialog(rows: readonly string[]): Dialog | undefined {
  const text = rows.join('\n');
  return knownDialogs.find(({ marks }) => marks.every((mark) => mark.test(text)));
}

/** The screen looks like a menu that waits for a choice, or like a panel that waits to be closed. Only worth asking when no prompt box is drawn. */
function looksLikeMenu(rows: readonly string[]): boolean {
  const text = rows.join('\n');
  return (
    /Enter to confirm|\bEsc to (?!interrupt\b)\w|Press Enter to continue|\(y\/n\)/i.test(text) ||
    /^[ \u00a0]*❯[ \u00a0]+\S/m.test(text)
  );
}

/** @param known result of {@link knownDialog} */
export function dialogOn(rows: readonly string[], known: Dialog | undefined): Dialog | undefined {
  // A transcript may quote any dialog.
  if (viewOn(rows)) return undefined;
  return known ?? (looksLikeMenu(rows) ? unknownDialog : undefined);
}

/**
 * May Enter be pressed? Only for the development channels dialog, when it names nothing but our channel and the option
 * that Enter takes is the one consented to. @param consent the operator's, from the configuration
 */
export function mayConfirm(dialog: Dialog, rows: readonly string[], consent: boolean): boolean {
  if (!consent || dialog.id !== developmentChannels) return false;
  const channels = rows.map((row) => /Channels:(.+)/.exec(row)?.[1]?.trim()).find(Boolean);
  const chosen = rows.filter((row) => /❯/.test(row));
  return (
    channels === 'server:synthesis' &&
    chosen.length === 1 &&
    /❯\s*(?:1\.\s*)?I am using this for local development$/.test(chosen[0]?.trimEnd() ?? '')
  );
}
