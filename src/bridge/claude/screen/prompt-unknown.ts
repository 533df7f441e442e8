import type { Dialog } from './dialogs.ts';

/** What is said of a release whose prompt was not found. @param why a sentence @param proven the release that is known */
export const promptUnknown = (why: string, proven: string): Dialog => ({
  id: 'prompt_unknown',
  failure: 'prompt_unknown',
  words: `${why} Known is the prompt of Claude Code ${proven}: claude install ${proven}`,
});
