// A permission question for a place that shows all of it: the operator's terminal, a card with buttons.
import type { Ask } from '../state/session.ts';
import { bar } from './dialect.ts';
import { type Picture, pictureOf } from './picture.ts';
import { runBy } from './run-by.ts';

/** Words of ours, and behind a bar what would run, to the letter. */
export function wholeText(ask: Ask): string {
  const picture = pictureOf(ask);
  return [
    headOf(picture, runBy(ask)),
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

function headOf({ kind, tool, body }: Picture, by: string): string {
  switch (kind) {
    case 'choice':
      return 'Claude asks:';
    case 'plan':
      return body === ''
        ? 'Claude asks whether to carry out the plan it wrote.'
        : 'Claude asks whether to carry out its plan:';
    case 'permission':
      return `Claude asks for permission to use ${tool}${by}:`;
  }
}

/**
 * What is asked, for a place that has a title and buttons of its own and shows no markup.
 *
 * @returns undefined when yes or no does not answer it, when not all of it is shown, or when one press is not enough
 */
export function cardText(ask: Ask): string | undefined {
  const { kind, body, why, missing } = pictureOf(ask);
  if (ask.tool === 'AskUserQuestion' || missing !== undefined || ask.needs !== undefined) return undefined;
  if (kind === 'plan' && body === '') return 'The plan is in what Claude wrote.';
  return why === undefined ? body : `${body}\n\nClaude's reason: ${why}`;
}
