// A permission question for a place that shows all of it: the operator's terminal, a card with buttons.
import type { Ask } from '../state/session.ts';
import { askerOf } from './asker.ts';
import { bar } from './dialect.ts';
import { dialogHead } from './dialog-words.ts';
import { pictureOf } from './picture.ts';
import { runBy } from './run-by.ts';

/** Words of ours, and behind a bar what would run, to the letter. */
export function wholeText(ask: Ask): string {
  const picture = pictureOf(ask);
  return [
    headOf(ask),
    ...(picture.why === undefined ? [] : [`Claude's reason: ${picture.why}`]),
    ...(picture.body === '' ? [] : [`${bar}${picture.body.replaceAll('\n', `\n${bar}`)}`]),
    ...(picture.missing === undefined
      ? []
      : [`This is only the beginning: ${whereTheRestIs(picture.missing)}.`]),
  ].join('\n');
}

/** For whoever has the operator's terminal. */
export const whereTheRestIs = (missing: number | 'unknown'): string =>
  missing === 'unknown'
    ? "Claude's own terminal shows the rest"
    : `${missing} more characters are too much to draw; \`synthesis approvals --json\` has all of them`;

function headOf(ask: Ask): string {
  const { kind, tool, body } = pictureOf(ask);
  const who = askerOf(ask.agent, 'plain');
  switch (kind) {
    case 'choice':
      return `${who} asks:`;
    case 'dialog':
      return dialogHead(ask);
    case 'plan':
      return body === ''
        ? `${who} asks whether to carry out the plan it wrote.`
        : `${who} asks whether to carry out its plan:`;
    case 'permission':
      return `${who} asks for permission to use ${tool}${runBy(ask)}:`;
  }
}

/**
 * What is asked, for a place that has a title and buttons of its own and shows no markup.
 *
 * @returns undefined when yes or no does not answer it, when not all of it is shown, or when one press is not enough
 */
export function cardText(ask: Ask): string | undefined {
  const { kind, body, why, missing } = pictureOf(ask);
  if (kind === 'dialog' || ask.tool === 'AskUserQuestion' || missing !== undefined || ask.needs !== undefined)
    return undefined;
  if (kind === 'plan' && body === '') return 'The plan is in what Claude wrote.';
  const asker = ask.agent ? [`${askerOf(ask.agent, 'plain')} asks for it.`] : [];
  const reason = why === undefined ? [] : [`Claude's reason: ${why}`];
  const words = [...asker, ...reason].join('\n');
  return words === '' ? body : `${body}\n\n${words}`;
}
