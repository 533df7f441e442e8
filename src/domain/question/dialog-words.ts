// What is said of a dialog of Claude Code that is asked as a question.

import type { Ask } from '../state/session.ts';
import type { UnfitAnswer } from './answer-words.ts';
import { chosenOption, type DialogInput, dialogOf } from './dialog-question.ts';
import { exact } from './exact.ts';

/** In front of what stands in the dialog. */
export function dialogHead(ask: Pick<Ask, 'tool' | 'input'>): string {
  const note = dialogOf(ask)?.note;
  return `${note === undefined ? '' : `${note} `}Claude Code shows a dialog in its terminal and waits for an answer:`;
}

/** @returns undefined for an answer that names an option */
export function unfitForDialog(dialog: DialogInput, said: string): UnfitAnswer | undefined {
  if (chosenOption(dialog, said)) return undefined;
  const last = dialog.options.length;
  if (last === 0)
    return {
      fact: 'Nothing in this dialog can be chosen from here. A no presses Esc; everything else is done in its terminal, with `synthesis attach`.',
      instead: [],
    };
  const range = last === 1 ? 'The only option is 1' : `The options are 1 to ${last}`;
  return {
    fact: `This dialog is answered with the number of an option. ${range}.`,
    instead: [{ answer: '1', for: 'with the number you mean in the place of 1' }],
  };
}

/** An answer, for those who were asked and did not give it. @param reason as it was decided */
export const dialogAnswer = (verdict: 'allow' | 'deny', reason: string | undefined): string =>
  verdict === 'deny' ? 'answered with Esc' : `answered with "${exact(reason ?? '').text}"`;
