/**
 * Sequences that move a terminal: CSI, OSC and the like, single ones. An unfinished string ends with its line.
 * Blanks and slashes are left alone, though they may stand in one: they would take the beginning of a path along.
 */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[!-.]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[!-.]{0,4}[0-~]?/g;

/** Control, format (zero-width, bidi, tags) and ignorable characters; not U+FE0F, which stands in many emoji. */
const unseen = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\t\n\ufe0f]]+/gv;

/** A text without what cannot be seen. Nothing marks the places: an error's words are read, not verified. */
export const withoutEscapes = (text: string): string =>
  text.replace(sequences, '').replace(unseen, '').toWellFormed();
