// What a tool was given, in the one line that a list has for it: a question as a question, a plan as its beginning.
import { askedQuestions } from '../../question/asked-questions.ts';
import { dialogOf } from '../../question/dialog-question.ts';

/** Longest piece of a text that is looked at, characters: a row shows less. */
const longest = 1_000;

const telling = ['command', 'file_path', 'path', 'url', 'query', 'pattern', 'prompt', 'description'];

/** @returns text as it came, perhaps of several lines and with any character in it */
export function gistOf(tool: string, input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return JSON.stringify(input) ?? '';
  if (tool === 'AskUserQuestion') return choicesOf(input) || JSON.stringify(input);
  const dialog = dialogOf({ tool, input });
  if (dialog) return dialog.words.slice(0, longest);
  const fields = input as Record<string, unknown>;
  const names = tool === 'ExitPlanMode' ? ['plan'] : telling;
  const name = names.find((each) => typeof fields[each] === 'string');
  if (name !== undefined) return String(fields[name]);
  // A plan that stands in Claude's answer needs no words here.
  return tool === 'ExitPlanMode' ? '' : JSON.stringify(input);
}

const choicesOf = (input: unknown): string =>
  askedQuestions(input)
    .map(({ text, options, several }) => {
      const choices = options.map(({ label }, at) => `${at + 1}. ${label.slice(0, longest)}`).join('  ');
      return `${text.slice(0, longest)}${several ? ' (several)' : ''}  ${choices}`.trimEnd();
    })
    .join('; ');
