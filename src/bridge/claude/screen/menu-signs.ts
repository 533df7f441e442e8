/**
 * Some rows look like a question: it names its keys, or has a cursor in front of a choice. Unlike a menu that a known release
 * draws (see dialogs.ts), an earlier prompt in the first column is none.
 */
export const asksSomething = (rows: readonly string[]): boolean => rows.some((row) => signs.test(row));

const signs =
  /Enter to (?:confirm|continue)|Esc to (?:cancel|exit|close|go back|quit)|\(y\/n\)|^[ \u00a0│┃|]+[❯›>][ \u00a0]+(?:\d+\.|[A-Z])|^[❯›>][ \u00a0]+\d+\.[ \u00a0]/i;
