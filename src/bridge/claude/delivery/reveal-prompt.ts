// Brings the prompt back where something else stands in its place, and where that takes no answer: what somebody who looked
// at the terminal left there.
import type { ClaudeRun } from '../claude-run.ts';
import { viewOn } from '../screen/views.ts';
import { type Drawing, untilDrawn } from './until-drawn.ts';

const escapeKey = '\x1b';
/** Leaves the mode of a shell in an empty box, and does nothing in a prompt. */
const backspace = '\x7f';
/** How long Claude Code may take to draw its prompt, ms: 20 to 100 measured. */
const drawMs = 2000;

/** What is brought back. */
export type Hidden = Drawing &
  Pick<ClaudeRun, 'promptHidden' | 'keys'> & {
    view: Pick<ClaudeRun['view'], 'shell'>;
    terminal: Pick<ClaudeRun['terminal'], 'rows' | 'write'>;
  };

/** @param over nobody waits any more @returns whether there is nothing in the way any more */
export async function revealPrompt(run: Hidden, over: () => boolean): Promise<boolean> {
  const isOpen = () => over() || !run.promptHidden;
  const { shell } = run.view;
  if (shell !== undefined) return leaveShell(run, shell, isOpen);
  const isView = viewOn(run.terminal.rows()) !== undefined;
  if (isView) run.terminal.write(escapeKey);
  // Of one that was stopped no key closes anything: it is woken when it does not draw.
  return (await untilDrawn(run, isOpen, isView ? drawMs : 0, () => drawMs)) === true;
}

/** A draft is put aside, as one in the prompt is. It comes back by itself, and takes the box with it: see there. */
async function leaveShell(run: Hidden, draft: string, isOpen: () => boolean): Promise<boolean> {
  const { stash } = await run.keys();
  const keys = draft === '' || stash === undefined ? backspace.repeat(draft.length + 1) : stash;
  run.terminal.write(keys);
  return (await untilDrawn(run, isOpen, drawMs)) === true;
}
