// Carries an answer out by keys, and by looks before them: the dialog has to be the one that was answered, and the marker
// has to stand on the option that was chosen, when Enter is pressed.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { untilDrawn } from '../delivery/until-drawn.ts';
import { type DrawnDialog, readShown } from '../screen/read-dialog.ts';

const enter = '\r';
const escapeKey = '\x1b';
const up = '\x1b[A';
const down = '\x1b[B';

/** How long Claude Code may take to move the marker, ms. */
const moveMs = 1000;
/** A picture that stays this long is the newest one, ms: keys right behind a drawing are lost now and then. */
const pictureMs = 250;
/** How long an answered dialog may take to go, ms. */
const goneMs = 3000;

/**
 * - `done`: it went away behind the key.
 * - `changed`: something else stands there. No key was pressed that takes an option.
 * - `unmoved`: the marker does not come to the option. No such key was pressed either.
 * - `stands`: the key was pressed, and it stands there still.
 */
export type Pressed = 'done' | 'changed' | 'unmoved' | 'stands' | 'gone';

/** What keys are pressed on. */
export type PressedOn = Pick<ClaudeRun, 'exit' | 'stopping'> &
  Parameters<typeof untilDrawn>[0] & { terminal: Pick<ClaudeRun['terminal'], 'rows' | 'write'> };

/** @param option from 0; undefined: Esc */
export async function pressOption(
  run: PressedOn,
  shown: DrawnDialog,
  option: number | undefined,
): Promise<Pressed> {
  const chosen = option === undefined ? undefined : shown.options[option];
  if (option !== undefined && !chosen) return 'unmoved';
  const key = chosen === undefined ? escapeKey : (chosen.key ?? enter);
  if (option !== undefined && chosen?.key === undefined) {
    const moved = await moveTo(run, shown, option);
    if (moved !== 'there') return moved;
  }
  // It may have been drawn a moment ago, and be gone a moment later.
  await run.watch.pause(pictureMs);
  const now = readShown(run.terminal.rows());
  if (gone(run)) return 'gone';
  if (now.id !== shown.id) return 'changed';
  if (key === enter && chosen?.key === undefined && now.at !== option) return 'unmoved';
  run.terminal.write(key);
  const isOver = () => gone(run) || readShown(run.terminal.rows()).id !== shown.id;
  if (!(await run.watch.until(isOver, goneMs))) return 'stands';
  return gone(run) ? 'gone' : 'done';
}

/** One step at a time, each seen: somebody may press keys in the terminal as well. */
async function moveTo(
  run: PressedOn,
  shown: DrawnDialog,
  option: number,
): Promise<'there' | Exclude<Pressed, 'done' | 'stands'>> {
  for (let step = 0; step <= 2 * shown.options.length; step += 1) {
    if (gone(run)) return 'gone';
    const now = readShown(run.terminal.rows());
    if (now.id !== shown.id) return 'changed';
    if (now.at === option) return 'there';
    if (now.at === undefined) return 'unmoved';
    const { at } = now;
    run.terminal.write(option > at ? down : up);
    const isMoved = () => {
      const next = readShown(run.terminal.rows());
      return gone(run) || (next.id === shown.id && next.at !== at);
    };
    if (!(await untilDrawn(run, isMoved, moveMs)) && readShown(run.terminal.rows()).id === shown.id)
      return 'unmoved';
  }
  return 'unmoved';
}
