import { excerpt, visible } from './safe-text.ts';
import type { Ask } from './session.ts';

/** The words that ask a human in a chat. The input is shown in full, or with what is hidden counted. */
export function questionText(ask: Ask): string {
  const fence = '```';
  const { text, hidden } = excerpt(visible(inputText(ask.input)));
  // A fence inside the input must not end the block that shows it.
  const body = text.replaceAll(fence, "'''");
  const note = hidden > 0 ? `\n(${hidden} characters are not shown: look before you allow it.)` : '';
  const why = ask.rationale ? `\n${visible(ask.rationale).replaceAll('\n', ' ')}` : '';
  return (
    `Claude asks for permission to use **${visible(ask.tool)}**:${why}\n` +
    `${fence}\n${body}\n${fence}${note}\n` +
    `Approve? Reply \`yes ${ask.code}\` or \`no ${ask.code}\`.`
  );
}

/** A command is shown as a command, everything else as its fields. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (
    typeof input === 'object' &&
    input !== null &&
    'command' in input &&
    typeof input.command === 'string'
  ) {
    return input.command;
  }
  return JSON.stringify(input, undefined, 2) ?? '';
}
