// What an operator may call a session: what is read is what is there, and nothing else is called like that.

/** Characters. */
const longestLabel = 40;

/** As it is kept: one way to write each letter, one blank between two words. '' for none. */
export const labelOf = (text: string): string => text.normalize('NFC').replace(/ +/g, ' ').trim();

const unseen = /[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[ ]]/v;

/** Why a session cannot be called so, to go behind "it"; undefined when it can. */
export function labelFault(label: string): string | undefined {
  if (unseen.test(label)) return 'has a character that cannot be seen, or more than one line';
  const { length } = [...label];
  if (length > longestLabel) return `has ${length} characters, and there is room for ${longestLabel}`;
  if (label.startsWith('-')) return 'begins with a dash, as a flag does';
  return /^[\da-f]{12}$/i.test(label) ? 'looks like the id of a session' : undefined;
}
