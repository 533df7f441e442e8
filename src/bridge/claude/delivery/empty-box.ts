// What stands in the prompt box before a message is typed into it.
import type { ClaudeRun } from '../claude-run.ts';
import { emptyThroughEditor } from './through-editor.ts';
import { type Drawing, standsStill, untilDrawn } from './until-drawn.ts';

/** What can be seen and done with the box. */
export type PromptBox = Drawing &
  Pick<ClaudeRun, 'exit' | 'lastTyped' | 'keys' | 'editorDir' | 'log'> & {
    view: Pick<ClaudeRun['view'], 'box'>;
    terminal: Pick<ClaudeRun['terminal'], 'write'>;
  };

/**
 * A text in the box is believed when it stays this long, ms: hooks are faster than the picture, and a text that was just
 * taken still stands in that.
 */
export const pictureMs = 250;
/** How long the box may take to lose text, ms. */
const drawMs = 2000;
const backspace = '\x7f';
/** Longest text that is deleted key by key: 1,600 characters in 40 lines took 0.9 s (measured on 2.1.332). */
const maxBackspaces = 1000;
/** More than the text has, for blanks that the box does not show. On an empty box they do nothing (measured on 2.1.332). */
const spareBackspaces = 32;

/** Empties the box: our own leftovers are deleted, a draft of the operator is put aside and comes back by itself. */
export async function emptyBox(run: PromptBox): Promise<boolean> {
  if (standsStill(run) && !(await awakes(run))) return false;
  const emptied = () => run.view.box === '' || run.view.box === undefined || run.exit !== undefined;
  await run.watch.until(emptied, pictureMs);
  const { box } = run.view;
  if (box === undefined || run.exit !== undefined) return false;
  if (box === '') return true;
  if (isOurs(run, box)) await erase(run, box);
  else if (!(await putAside(run))) return false;
  await untilDrawn(run, () => run.view.box === '' || run.exit !== undefined, drawMs);
  return run.view.box === '' && run.exit === undefined;
}

/** Never Ctrl+C: a second one within about a second ends Claude Code, whatever stands in the box (measured on 2.1.332). */
async function erase(run: PromptBox, box: string): Promise<void> {
  const length = Math.max(run.lastTyped?.length ?? 0, box.length);
  const { editor } = await run.keys();
  const { editorDir } = run;
  if (length > maxBackspaces && editor !== undefined && editorDir !== undefined) {
    // Without a box, another editor may stand there: nothing is typed into it.
    if (await emptyThroughEditor(run, editorDir, editor)) return;
    if (run.view.box === undefined || standsStill(run)) return;
  }
  run.terminal.write(backspace.repeat(length + spareBackspaces));
}

async function putAside(run: PromptBox): Promise<boolean> {
  const { stash } = await run.keys();
  if (stash !== undefined) run.terminal.write(stash);
  return stash !== undefined;
}

/** Keys that waited are read, and their picture is there. */
async function awakes(run: PromptBox): Promise<boolean> {
  const isAwake = () => !standsStill(run) || run.exit !== undefined;
  if (!(await untilDrawn(run, isAwake, 0))) return false;
  await run.watch.pause(pictureMs);
  return run.exit === undefined;
}

/** The box wraps lines, so blanks do not count. */
export function isOurs(run: Pick<PromptBox, 'lastTyped'>, box: string): boolean {
  const bare = (text: string) => text.replace(/\s+/g, '');
  if (run.lastTyped === undefined) return false;
  const [typed, shown] = [bare(run.lastTyped), bare(box)];
  // A box too small for the text is scrolled to its end.
  return typed.startsWith(shown.slice(0, 20)) || typed.endsWith(shown.slice(-20));
}
