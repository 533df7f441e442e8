import { dialogOf } from '../../question/dialog-question.ts';

/** What answers a question where yes is not enough: the number of an option, or also words; undefined where yes is. */
export function answerBy(ask: { tool: string; input: unknown }): 'number' | 'words' | undefined {
  if (dialogOf(ask)) return 'number';
  return ask.tool === 'AskUserQuestion' ? 'words' : undefined;
}
