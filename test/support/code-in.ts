/** Returns the code that an answer asks for by `yes <code>`; empty when it asks for none. */
export const codeIn = (text: string): string => /`(?:yes|no) ([a-km-z]{5})/.exec(text)?.[1] ?? '';
