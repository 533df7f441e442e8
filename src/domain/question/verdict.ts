/** A human's answer to a permission question, read from the text of one inbound message and nothing else. */
export interface ReadVerdict {
  verdict: 'allow' | 'deny';
  code: string;
  /** What follows the code: a reason for a no, an answer to a question of Claude's. */
  rest: string;
}

const form = /^(yes|y|allow|ok|approve|no|n|deny)\s+([a-km-z]{5})(?:(?:[.,;:!]|\s)\s*(.*))?$/is;
const allowing = new Set(['yes', 'y', 'allow', 'ok', 'approve']);
/** Longest answer or reason taken from a chat, characters. */
const longestRest = 2_000;

/** @returns undefined for everything that does not start with a verdict word and a code: then it is a normal message. */
export function readVerdict(text: string): ReadVerdict | undefined {
  const [, word, code, rest = ''] = form.exec(text.trim()) ?? [];
  if (!word || !code) return undefined;
  return {
    verdict: allowing.has(word.toLowerCase()) ? 'allow' : 'deny',
    code: code.toLowerCase(),
    rest: rest.slice(0, longestRest),
  };
}

const showForm = /^show\s+([a-km-z]{5})(?:\s+(\d{1,4}))?$/i;

/** A wish to see more of a long question. @returns undefined for everything else; `part` counts from 1 */
export function readShow(text: string): { code: string; part?: number } | undefined {
  const [, code, part] = showForm.exec(text.trim()) ?? [];
  if (!code) return undefined;
  return { code: code.toLowerCase(), ...(part !== undefined && { part: Number(part) }) };
}
