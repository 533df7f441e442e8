// What a client itself puts in front of every text that a person writes. Claude gets it with the text; an answer to a
// question begins behind it. People could type it, too, which changes nothing: what follows is their own text.

/** Each with where it was seen. */
const prefixes: readonly RegExp[] = [
  // `openclaw acp` of OpenClaw 2026.9.6, unless it is started with `--no-prefix-cwd`: the editor's folder, a blank line.
  /^\[Working directory: [^\n]{1,4096}\]\s+/,
];

/** The text as its writer typed it. */
export function withoutClientPrefix(text: string): string {
  for (const prefix of prefixes) {
    const [head] = prefix.exec(text) ?? [];
    if (head !== undefined) return text.slice(head.length);
  }
  return text;
}
