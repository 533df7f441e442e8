/** A human's answer to a permission question, read from the text of one inbound message and nothing else. */
export interface ReadVerdict {
  verdict: 'allow' | 'deny';
  code: string;
}

const form = /^(yes|y|allow|ok|approve|no|n|deny)\s+([a-km-z]{5})[.!]?$/i;
const allowing = new Set(['yes', 'y', 'allow', 'ok', 'approve']);

/** @returns undefined for everything that is not exactly a verdict word and a code: then it is a normal message. */
export function readVerdict(text: string): ReadVerdict | undefined {
  const match = form.exec(text.trim());
  const [, word, code] = match ?? [];
  if (!word || !code) return undefined;
  return { verdict: allowing.has(word.toLowerCase()) ? 'allow' : 'deny', code: code.toLowerCase() };
}
