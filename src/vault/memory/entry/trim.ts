/** Without such characters at its end. In time that grows with the text, as a pattern with `+$` does not. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without such characters at either end. */
export function trim(text: string, characters: string): string {
  const ended = trimEnd(text, characters);
  let start = 0;
  while (start < ended.length && characters.includes(ended.charAt(start))) start += 1;
  return ended.slice(start);
}
