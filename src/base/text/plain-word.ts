/** Whether every shell takes it for one word, and for nothing else. */
export const isPlainWord = (text: string): boolean => /^[\w./][\w.:@/+-]*$/.test(text);

/** As an argument in a command that is there to be copied. */
export const shellWord = (text: string): string =>
  isPlainWord(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
