import { safeLine } from '../../output/safe.ts';
import { clipMiddle } from '../../text/width.ts';
import { houseDeeds } from '../keys/panic-keys.ts';
import { deedWords, yesOf } from '../keys/session-keys.ts';
import type { Model, Pane } from '../model/model.ts';
import { keyRow } from '../overlays/foot.ts';
import { type Line, lineWidth, span, spread, type Tone } from '../text/line.ts';

const toastTone: Record<'good' | 'bad' | 'plain', Tone> = { good: 'good', bad: 'bad', plain: 'plain' };

type Hint = readonly [key: string, words: string];

const hints: Record<Pane, readonly Hint[]> = {
  sessions: [
    ['Enter', 'read'],
    ['m', 'message'],
    ['/', 'filter'],
    ['o', 'order'],
    ['w', 'next that waits'],
    ['i', 'info'],
    ['Tab', 'pane'],
  ],
  transcript: [
    ['↑↓', 'scroll'],
    ['G', 'end'],
    ['/', 'search'],
    ['m', 'message'],
    ['Tab', 'pane'],
  ],
  frames: [
    ['Enter', 'whole'],
    ['Space', 'pause'],
    ['f', 'kinds'],
    ['/', 'filter'],
    ['m', 'message'],
    ['Tab', 'pane'],
  ],
  asks: [
    ['↑↓', 'choose'],
    ['Enter', 'answer'],
    ['/', 'filter'],
    ['m', 'message'],
    ['Tab', 'pane'],
  ],
};

/** What the focused pane can do, the most useful first, as much of it as there is room for. */
function hintsIn({ ui: { overlay, prompt, focus, zoom } }: Model, cells: number): Line {
  const back: readonly Hint[] = zoom ? [['z', 'all panes']] : [];
  const shown = overlay || prompt ? [] : [...back, ...hints[focus]];
  while (shown.length > 0 && lineWidth(keyRow(...shown)) > cells) shown.pop();
  return keyRow(...shown);
}

/** The last row: what just happened, or what can be done. */
export function statusBar(model: Model, cells: number): Line {
  const { confirm, toast } = model.ui;
  const yes = confirm && yesOf(confirm) === 'ctrl+y' ? 'Ctrl-Y' : 'y';
  const choice = [...keyRow([yes, 'yes'], ['any other key', 'no']), span(' ')];
  if (confirm && !('session' in confirm))
    return spread([span(` ${houseDeeds[confirm.deed].ask}`, 'warn')], choice, cells);
  if (confirm) {
    const name = clipMiddle(safeLine(confirm.session), Math.max(8, cells - 60));
    const question = span(` ${deedWords[confirm.deed].ask} ${name}?`, 'warn');
    return spread([question], choice, cells);
  }
  // While text is typed these are letters.
  const right: Line = model.ui.prompt
    ? []
    : [...keyRow(['!', 'panic'], ['?', 'help'], ['q', 'quit']), span(' ')];
  if (toast) {
    const said = [span(` ${safeLine(toast.text)}`, toastTone[toast.tone])];
    // Said for a moment: the keys that are there all the time make room for it.
    return spread(said, lineWidth(said) + lineWidth(right) < cells ? right : [], cells);
  }
  return spread([span(' '), ...hintsIn(model, cells - lineWidth(right) - 2)], right, cells);
}
