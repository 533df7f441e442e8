// Whose yes a question needs, in the words of a chat.
import type { Rejection } from '../rejection.ts';
import type { Ask } from '../state/session.ts';

/** Added to a question that several people have to answer; empty for others. */
export function needsText({ needs, votes = [] }: Ask): string {
  if (typeof needs !== 'object') return '';
  const so = votes.length === 0 ? '' : ` ${votes.length} said yes so far.`;
  return `\n${needs.quorum} different people have to say yes; one no is enough.${so}`;
}

/** For whoever gave a yes that is not the last one needed. */
export function voteText({ code, needs, votes = [] }: Ask): string {
  const of = typeof needs === 'object' ? needs.quorum : votes.length;
  return `Your yes to \`${code}\` counts: ${votes.length} of ${of}. It waits for ${of - votes.length} more.`;
}

export const operatorWords = (code: string): string =>
  `Only the operator may answer this: \`synthesis approve ${code}\` or \`synthesis deny ${code}\`.`;

/** Why an answer from a chat does not count; undefined where it is another matter. */
export function unheardText(ask: Ask, { code }: Rejection): string | undefined {
  switch (code) {
    case 'operator_only':
      return operatorWords(ask.code);
    case 'not_proven':
      return 'Several people have to answer this, and the hub does not say who you are. `synthesis approve` works.';
    case 'voted':
      return `You have said yes before; somebody else has to, too. ${voteText(ask)}`;
    default:
      return undefined;
  }
}
