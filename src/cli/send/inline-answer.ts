// What somebody typed behind a question, as the verdict that it is.

import type { ControlMethods } from '../../domain/views/control.ts';
import { answerBy } from '../../domain/views/session/answer-by.ts';
import type { AskRow } from '../../domain/views/session/ask-row.ts';

export type InlineAnswer = Pick<
  ControlMethods['permission.decide']['params'],
  'verdict' | 'reason' | 'scope' | 'answer'
>;

type Asked = Pick<AskRow, 'code' | 'tool' | 'input' | 'session_rules'>;

const isChoice = (ask: Asked): boolean => answerBy(ask) !== undefined;

/** What stands before the cursor. */
export function promptOf(ask: Asked): string {
  if (isChoice(ask)) {
    if (answerBy(ask) === 'number') return 'Your answer (the number of an option; n presses Esc): ';
    const { questions } = ask.input as { questions?: unknown[] };
    const each = (questions?.length ?? 1) > 1 ? ', ";" between the questions' : '';
    return `Your answer (a number or your own words${each}; n declines): `;
  }
  return `Allow it? (y${ask.session_rules.length > 0 ? ', s for this session' : ''}, n, n <reason>): `;
}

/** A verdict word, and behind it perhaps the code, as in a chat. @returns undefined for what is no answer */
export function readInline(line: string, ask: Asked): InlineAnswer | undefined {
  const [, word = '', code, rest = ''] = /^(\w+)(?:\s+([a-km-z]{5})\b)?\s*(.*)$/is.exec(line) ?? [];
  const hasCode = code?.toLowerCase() === ask.code;
  const after = hasCode ? rest : line.slice(word.length).trim();
  const said = word.toLowerCase();
  if (isChoice(ask)) {
    if (hasCode && isYes(said)) return after === '' ? undefined : { verdict: 'allow', answer: after };
    if (isNo(said) && after === '') return { verdict: 'deny' };
    return line === '' ? undefined : { verdict: 'allow', answer: line };
  }
  if (isNo(said)) return { verdict: 'deny', ...(after !== '' && { reason: after }) };
  if (after !== '') return undefined;
  if (said === 's' && ask.session_rules.length > 0) return { verdict: 'allow', scope: 'session' };
  return isYes(said) ? { verdict: 'allow' } : undefined;
}

const isYes = (word: string): boolean => word === 'y' || word === 'yes';
const isNo = (word: string): boolean => word === 'n' || word === 'no';
