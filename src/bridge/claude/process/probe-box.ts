// Finds out how a release draws its prompt box that the screen reader does not know: a mark is typed and deleted again. It is
// pasted, which no dialog takes for an answer, and Enter is never pressed.
import { randomInt } from 'node:crypto';
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { type Drawing, untilDrawn } from '../delivery/until-drawn.ts';
import type { BoxLayout } from '../screen/box-layout.ts';
import { learnLayout, spotsOf } from '../screen/learn-layout.ts';
import { readScreen } from '../screen/screen-reader.ts';

/** What is typed into. */
export type Probed = Drawing &
  Pick<ClaudeRun, 'exit' | 'stopping' | 'lastTyped' | 'dialog' | 'learn' | 'log'> & {
    view: Pick<ClaudeRun['view'], 'box'>;
    terminal: Pick<ClaudeRun['terminal'], 'write' | 'rows'>;
  };

export type ProbeResult =
  | { kind: 'learned' }
  /** It is not needed any more: a box or a dialog came, or the process went. */
  | { kind: 'settled' }
  /** @param why a sentence */
  | { kind: 'unknown'; why: string };

/** How long what was typed may take to be drawn, ms; once more when it draws nothing unless it is asked to. */
const drawMs = 700;
/** From a part of a picture to all of it, ms. */
const pictureMs = 80;
const backspace = '\x7f';

export async function probeBox(run: Probed): Promise<ProbeResult> {
  const first = newMark(run);
  const second = newMark(run);
  // Whatever is left of it is ours to delete.
  run.lastTyped = `${first}\n${second}`;
  const shown = await show(run, first);
  if (!shown) return giveUp(run, [first], 'What was typed as a test did not appear on its screen.');
  const further = await show(run, second, '\n');
  if (!further) return giveUp(run, [first, second], 'Its prompt does not show a second line.');
  const layout = learnLayout({ one: shown, two: further, first, second });
  const isRight = layout && reads(further, layout) === run.lastTyped && reads(shown, layout) === first;
  if (!isRight)
    return giveUp(
      run,
      [first, second],
      'Where its prompt begins and ends cannot be told from what was typed as a test.',
    );
  if (!(await erase(run, [first, second])))
    return settled(run) ?? { kind: 'unknown', why: 'What was typed as a test could not be deleted.' };
  const bright = run.terminal.rows({ bright: true });
  if (readScreen(run.terminal.rows(), bright, layout).box !== '')
    return settled(run) ?? { kind: 'unknown', why: 'Its empty prompt cannot be told from one with text.' };
  run.log.info('learned how the prompt box is drawn', { layout });
  run.learn(layout);
  return { kind: 'learned' };
}

/** @returns the screen that shows the mark */
async function show(run: Probed, mark: string, before = ''): Promise<readonly string[] | undefined> {
  run.terminal.write(`\x1b[200~${before}${mark}\x1b[201~`);
  const seen = () => {
    const rows = run.terminal.rows();
    return spotsOf(rows, mark).length > 0 && rows;
  };
  await untilDrawn(run, () => settled(run) !== undefined || seen(), drawMs);
  // The rest of the same picture may be on its way.
  if (seen()) await run.watch.pause(pictureMs);
  return seen() || undefined;
}

async function giveUp(run: Probed, typed: readonly string[], why: string): Promise<ProbeResult> {
  // What it did not show it may have taken.
  await erase(run, typed);
  return settled(run) ?? { kind: 'unknown', why };
}

/** @returns whether nothing of it is on the screen any more */
async function erase(run: Probed, typed: readonly string[]): Promise<boolean> {
  const isThere = () => typed.some((mark) => spotsOf(run.terminal.rows(), mark).length > 0);
  if (gone(run)) return false;
  run.terminal.write(backspace.repeat(typed.join('\n').length));
  if (!isThere()) return true;
  await untilDrawn(run, () => gone(run) || !isThere(), drawMs);
  return !isThere();
}

function settled(run: Probed): ProbeResult | undefined {
  return gone(run) || run.view.box !== undefined || run.dialog ? { kind: 'settled' } : undefined;
}

const reads = (rows: readonly string[], layout: BoxLayout) => readScreen(rows, rows, layout).box;

const letters = 'bcdfghjklmnpqrstvwxz';

/** Letters alone: no command, no shell, no digit that chooses something. No word either, so that it is on no screen. */
function newMark(run: Probed): string {
  for (;;) {
    const mark = Array.from({ length: 7 }, () => letters[randomInt(letters.length)]).join('');
    if (spotsOf(run.terminal.rows(), mark).length === 0) return mark;
  }
}
