import { fold } from './fold.ts';

/** A human's answer to a permission question, read from the text of one inbound message and nothing else. */
export interface ReadVerdict {
  verdict: 'allow' | 'deny';
  code: string;
  /** What follows the code: a reason for a no, an answer to a question of Claude's. */
  rest: string;
}

const form = /^(yes|y|allow|ok|approve|no|n|deny|esc)\s+([a-km-z]{5})(?:(?:[.,;:!]|\s)\s*(.*))?$/is;
const allowing = new Set(['yes', 'y', 'allow', 'ok', 'approve']);
/** Longest answer or reason taken from a chat, characters. */
const longestRest = 2_000;

/** @returns undefined for everything that does not start with a verdict word and a code: then it is a normal message. */
export function readVerdict(text: string): ReadVerdict | undefined {
  const own = text.trim();
  const [, word, code, rest = ''] = form.exec(foldHead(own)) ?? [];
  if (!word || !code) return undefined;
  return {
    verdict: allowing.has(word.toLowerCase()) ? 'allow' : 'deny',
    code: code.toLowerCase(),
    // As it was written: it is for Claude.
    rest: own.slice(own.length - rest.length).slice(0, longestRest),
  };
}

/** Word, code and what may stand around them, with many blanks. */
const headSize = 200;
const foldHead = (text: string): string => fold(text.slice(0, headSize)) + text.slice(headSize);

const bareForm = /^(?:(yes|y|allow|ok|approve)|(no|n|deny|esc)|(\d{1,2}))[.,;:!]*$/i;

/**
 * An answer without the code of its question: whoever reads the question as the last thing in a chat may write just that.
 *
 * @returns the number for `2`, undefined for everything that is more than one word
 */
export function readBare(text: string): 'yes' | 'no' | number | undefined {
  const own = text.trim();
  if (own.length > headSize) return undefined;
  const [, yes, no, number] = bareForm.exec(fold(own)) ?? [];
  if (number !== undefined) return Number(number);
  if (yes !== undefined) return 'yes';
  return no === undefined ? undefined : 'no';
}

const showForm = /^show\s+([a-km-z]{5})(?:\s+(\d{1,4}))?$/i;

/** A wish to see more of a long question. @returns undefined for everything else; `part` counts from 1 */
export function readShow(text: string): { code: string; part?: number } | undefined {
  const [, code, part] = showForm.exec(foldHead(text.trim())) ?? [];
  if (!code) return undefined;
  return { code: code.toLowerCase(), ...(part !== undefined && { part: Number(part) }) };
}
