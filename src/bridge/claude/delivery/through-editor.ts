import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../../../base/files/private-file.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { textFile } from '../launch/prompt-editor.ts';
import { type Drawing, hungMs, untilDrawn } from './until-drawn.ts';

/** From the key to the text in the box: 0.1 to 0.3 s measured. */
const editorMs = 3000;
/**
 * Behind an editor of somebody else's it draws nothing, however long: a person waits for the words about it, ms. Whatever
 * editor opens, the box goes first (measured on 2.1.330): while it stands there the key is not read yet.
 */
const foreignMs = 5000;

/** @returns true when the box shows it; false with the box empty when there is no such road */
export async function fillThroughEditor(run: ClaudeRun, dir: string, text: string): Promise<boolean> {
  const { editor } = await run.keys();
  if (editor === undefined) return false;
  return throughEditor(run, dir, editor, text, () => Boolean(run.view.box));
}

/** Empties the box, wherever the cursor is: 0.05 s measured. @returns whether it is empty */
export const emptyThroughEditor = (run: Edited, dir: string, editor: string): Promise<boolean> =>
  throughEditor(run, dir, editor, '', () => run.view.box === '');

/** What is edited. */
type Edited = Drawing &
  Pick<ClaudeRun, 'exit' | 'log'> & {
    view: Pick<ClaudeRun['view'], 'box'>;
    terminal: Pick<ClaudeRun['terminal'], 'write'>;
  };

async function throughEditor(
  run: Edited,
  dir: string,
  editor: string,
  text: string,
  isDone: () => boolean,
): Promise<boolean> {
  const path = join(dir, textFile);
  try {
    writePrivate(path, text);
    run.terminal.write(editor);
    // Not called off when the message is: an editor that finds no text would be the user's own.
    const over = () => run.exit !== undefined || isDone();
    const mostMs = () => (run.view.box === undefined ? foreignMs : hungMs);
    return (await untilDrawn(run, over, editorMs, mostMs)) === true && run.exit === undefined;
  } catch (error) {
    run.log.warn('the text could not be put where the editor looks', { error });
    return false;
  } finally {
    takeBack(run, path);
  }
}

/** What an editor has not moved away by now no later one is to find. */
function takeBack(run: Pick<ClaudeRun, 'log'>, path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    run.log.warn('the text could not be taken back from where the editor looks', { error });
  }
}
