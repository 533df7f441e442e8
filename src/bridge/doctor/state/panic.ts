import { warning } from '../../../domain/views/check.ts';
import { panicView, panicWords, resumeHint } from '../../../domain/views/words/panic-words.ts';
import { PanicFile } from '../../panic-file.ts';
import type { Examination } from '../examination.ts';

/** Whether everything is stopped, for a bridge that runs and for the next one. */
export const panic: Examination = async ({ stateDir }) => {
  const record = new PanicFile(stateDir).load();
  return record ? [warning('panic', panicWords(panicView(record)), resumeHint)] : [];
};
