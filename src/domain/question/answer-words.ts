// What is said to whoever answers Claude's questions with too little, too much, or a number that is none.
import { type AnswerFault, type AskedQuestion, answerFault, askedQuestions } from './asked-questions.ts';
import { type Dialect, inline, literal } from './dialect.ts';
import { dialogOf, dialogTool } from './dialog-question.ts';
import { unfitForDialog } from './dialog-words.ts';
import { exact } from './exact.ts';

/** Longest beginning of a question that is repeated, characters. */
const maxQuestion = 80;

export interface UnfitAnswer {
  /** What is wrong with it, in sentences. */
  fact: string;
  /** Answers that would do, and what each is for; empty where the fact says it. */
  instead: { answer: string; for: string }[];
}

type Asked = { tool: string; input: unknown };

/** Whether yes says too little: it has to be answered with an option, or in words. */
export const wantsAnswer = ({ tool }: Pick<Asked, 'tool'>): boolean =>
  tool === 'AskUserQuestion' || tool === dialogTool;

/** @returns undefined for an answer that can be handed over */
export function unfitFor(ask: Asked, said: string, dialect: Dialect): UnfitAnswer | undefined {
  const dialog = dialogOf(ask);
  return dialog ? unfitForDialog(dialog, said) : unfitAnswer(askedQuestions(ask.input), said, dialect);
}

/** @returns undefined for an answer that can be handed to Claude */
export function unfitAnswer(
  questions: readonly AskedQuestion[],
  said: string,
  dialect: Dialect,
): UnfitAnswer | undefined {
  const fault = answerFault(questions, said);
  return fault && wordsFor(fault, questions, dialect);
}

function wordsFor(fault: AnswerFault, questions: readonly AskedQuestion[], dialect: Dialect): UnfitAnswer {
  const count = questions.length;
  const numbered = {
    answer: exampleFor(questions),
    for: count === 1 ? 'with the number of an option' : 'with one number for each question, in order',
  };
  const all = [
    numbered,
    { answer: questions.map((_, at) => `answer ${at + 1}`).join('; '), for: 'with your own words' },
  ];
  switch (fault.kind) {
    case 'missing': {
      const missing = named(fault.at, questions, dialect);
      return {
        fact: `Claude asks ${count} questions at once, and ${missing} has no answer yet.`,
        instead: all,
      };
    }
    case 'too_many':
      return { fact: `Claude asks ${count} questions, and these are ${fault.count} answers.`, instead: all };
    case 'no_option': {
      const { number } = fault;
      const last = questions[fault.at]?.options.length ?? 0;
      const of = count === 1 ? '' : ` of ${named(fault.at, questions, dialect)}`;
      const range = last === 1 ? `The only option${of} is 1` : `The options${of} are 1 to ${last}`;
      return {
        fact: `${range}; there is no ${number}.`,
        instead: [numbered, ...(count === 1 ? [{ answer: `"${number}"`, for: `to say ${number}` }] : [])],
      };
    }
    case 'ambiguous': {
      const { number } = fault;
      const say = (words: string) => literal(words, dialect);
      return {
        fact: `${number} is the number of one option and the text of another one. Write ${say(`${number}.`)} with a dot for option ${number}, or ${say(`"${number}"`)} with quotation marks for the text.`,
        instead: [],
      };
    }
  }
}

/** A number for each. */
export const exampleFor = (questions: readonly AskedQuestion[]): string =>
  questions.map(({ options }, at) => Math.max(1, Math.min(at + 1, options.length))).join(' ');

function named(at: number, questions: readonly AskedQuestion[], dialect: Dialect): string {
  const line = (questions[at]?.text ?? '').replace(/\s+/g, ' ').trim().replaceAll('"', "'");
  const head = line.length > maxQuestion ? `${line.slice(0, maxQuestion).toWellFormed()}…` : line;
  return `question ${at + 1} ("${inline(exact(head).text, dialect)}")`;
}

/** In the words of a chat, with what to reply. */
export function unfitText({ fact, instead }: UnfitAnswer, code: string, dialect: Dialect): string {
  const ways = instead.map((way) => `${literal(`yes ${code} ${way.answer}`, dialect)} ${way.for}`);
  return [fact, ways.length > 0 && `Reply ${ways.join(', or ')}.`, 'Nothing was changed.']
    .filter(Boolean)
    .join(' ');
}
