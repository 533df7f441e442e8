// The questions inside of Claude's AskUserQuestion tool, and the answers in the form it takes them.
import { fold } from './fold.ts';

export interface AskedQuestion {
  text: string;
  options: { label: string; description: string }[];
  /** More than one option may be chosen. */
  several: boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function askedQuestions(input: unknown): AskedQuestion[] {
  if (!isRecord(input) || !Array.isArray(input.questions)) return [];
  return input.questions.filter(isRecord).flatMap((question) => {
    if (typeof question.question !== 'string') return [];
    const options = Array.isArray(question.options) ? question.options.filter(isRecord) : [];
    return [
      {
        text: question.question,
        options: options.map(({ label, description }) => ({
          label: text(label),
          description: text(description),
        })),
        several: question.multiSelect === true,
      },
    ];
  });
}

/** Why words are no answer to all that Claude asks. `at`: which question, from 0. */
export type AnswerFault =
  /** Answered are only those before. */
  | { kind: 'missing'; at: number }
  | { kind: 'too_many'; count: number }
  /** No option has this number. */
  | { kind: 'no_option'; at: number; number: string }
  /** It is the number of one option and the label of another one. */
  | { kind: 'ambiguous'; at: number; number: string };

/** @returns undefined where each question has one answer that can be meant in one way only */
export function answerFault(questions: readonly AskedQuestion[], said: string): AnswerFault | undefined {
  // A question in a shape that is not known takes any words.
  if (questions.length === 0) return undefined;
  const parts = partsOf(questions, said);
  for (const [at, question] of questions.entries()) {
    const part = parts[at] ?? '';
    if (part === '') return { kind: 'missing', at };
    for (const pick of picksOf(question, part)) {
      const { number, kind } = readPick(question.options, pick);
      if (number !== undefined && kind !== 'label') return { kind, at, number };
    }
  }
  return parts.length > questions.length ? { kind: 'too_many', count: parts.length } : undefined;
}

/**
 * Answers by question text, as `updatedInput.answers` wants them: a number picks an option, `1,3` several, anything
 * else is an answer in the human's own words, between quotation marks a number, too. `;` separates the answers to
 * several questions, or a blank where all are numbers. A question without an answer is left out.
 *
 * @param said without an `answerFault`
 */
export function answersTo(questions: readonly AskedQuestion[], said: string): Record<string, string> {
  const parts = partsOf(questions, said);
  return Object.fromEntries(
    questions.flatMap((question, at) => {
      const part = parts[at] ?? '';
      const labels = picksOf(question, part).map((pick) => readPick(question.options, pick).label);
      return part === '' ? [] : [[question.text, labels.join(', ')]];
    }),
  );
}

const numbers = /^\d{1,3}(?:,\d{1,3})*(?:\s+\d{1,3}(?:,\d{1,3})*)+$/;

function partsOf(questions: readonly AskedQuestion[], said: string): string[] {
  if (questions.length === 1) return [said.trim()];
  const parts = cut(said, ';');
  if (parts.length > 1) {
    // "1; 2;" ends with a mark, and not with an empty answer.
    return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  }
  const tight = cut(fold(said), ',').join(',');
  return numbers.test(tight) ? tight.split(/\s+/) : parts;
}

const picksOf = ({ several }: AskedQuestion, part: string): string[] => (several ? cut(part, ',') : [part]);

/** At a mark or its full-width form. */
function cut(said: string, mark: string): string[] {
  let from = 0;
  return fold(said)
    .split(mark)
    .map((part) => {
      const end = from + part.length;
      const own = said.slice(from, end).trim();
      from = end + mark.length;
      return own;
    });
}

interface Pick {
  kind: 'label' | 'no_option' | 'ambiguous';
  /** What Claude is told. */
  label: string;
  number?: string;
}

/** A keycap is a digit, two marks behind it. */
const keycap = /\ufe0f?\u20e3/g;

function readPick(options: AskedQuestion['options'], said: string): Pick {
  const folded = fold(said).replace(keycap, '');
  const own = /^["“”„](.+)["“”]$/s.exec(said)?.[1];
  const named = labelOf(options, own ?? said) ?? labelOf(options, folded);
  const [, number, dot] = /^(\d{1,3})(\.?)$/.exec(folded) ?? [];
  if (own !== undefined || number === undefined || options.length === 0)
    return { kind: 'label', label: named ?? own ?? said };
  const numbered = options[Number(number) - 1]?.label;
  if (numbered === undefined)
    return { kind: named === undefined ? 'no_option' : 'label', label: named ?? said, number };
  const isAmbiguous = dot === '' && named !== undefined && named !== numbered;
  return { kind: isAmbiguous ? 'ambiguous' : 'label', label: numbered, number };
}

const labelOf = (options: AskedQuestion['options'], said: string): string | undefined =>
  options.find(({ label }) => label.toLowerCase() === said.toLowerCase())?.label;
