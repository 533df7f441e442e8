// The questions inside of Claude's AskUserQuestion tool, and the answers in the form it takes them.

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

/**
 * Answers by question text, as `updatedInput.answers` wants them: a number picks an option, `1,3` several, anything
 * else is an answer in the human's own words. `;` separates the answers to several questions.
 */
export function answersTo(questions: readonly AskedQuestion[], said: string): Record<string, string> {
  const parts = questions.length > 1 ? said.split(';').map((part) => part.trim()) : [said.trim()];
  return Object.fromEntries(
    questions.map((question, index) => [
      question.text,
      choice(question, parts[index] || parts.at(-1) || said),
    ]),
  );
}

function choice({ options, several }: AskedQuestion, said: string): string {
  const picks = several ? said.split(',').map((pick) => pick.trim()) : [said];
  return picks.map((pick) => optionOf(options, pick)).join(', ');
}

function optionOf(options: AskedQuestion['options'], said: string): string {
  const numbered = /^\d{1,3}$/.test(said) ? options[Number(said) - 1]?.label : undefined;
  return numbered ?? options.find(({ label }) => label.toLowerCase() === said.toLowerCase())?.label ?? said;
}
