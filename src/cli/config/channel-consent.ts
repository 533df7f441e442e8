// Consent to the development channel: one question, by `init` or by the first `up`.
import { say } from '../output/out.ts';
import type { Questions } from '../questions.ts';

/** Where the answer is kept. */
export const consentKey = 'channels.development';

/** No line is wider than a terminal of 80 columns. */
const about = [
  '',
  'Messages reach Claude Code in one of two ways. Typed into its terminal: needs',
  'nothing. Or through its channel, a research preview: then Claude Code is started',
  'with --dangerously-load-development-channels, and the bridge confirms the one',
  'dialog about that at each start. Any other dialog is left to you.',
];

/** @param known what Enter means */
export function askForConsent(questions: Questions, known: boolean): Promise<boolean> {
  for (const line of about) say(line);
  return questions.yesNo('Use the channel', known);
}
