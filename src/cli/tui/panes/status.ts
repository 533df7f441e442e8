import { safeLine } from '../../output/safe.ts';
import { clipMiddle } from '../../text/width.ts';
import { houseDeeds } from '../keys/panic-keys.ts';
import { deedWords } from '../keys/session-keys.ts';
import type { Model } from '../model.ts';
import { keyRow } from '../overlays/foot.ts';
import { type Line, span, spread, type Tone } from '../text/line.ts';

const toastTone: Record<'good' | 'bad' | 'plain', Tone> = { good: 'good', bad: 'bad', plain: 'plain' };

/** What the focused pane can do, the most useful first. */
function hints(model: Model): Line {
  const { overlay, prompt, focus, zoom } = model.ui;
  if (overlay || prompt) return [];
  const common = [
    ...(zoom ? ([['z', 'all panes']] as const) : []),
    ['m', 'message'],
    ['Tab', 'pane'],
  ] as const;
  switch (focus) {
    case 'sessions':
      return keyRow(['↑↓', 'choose'], ['Enter', 'read'], ['i', 'info'], ...common);
    case 'transcript':
      return keyRow(['↑↓', 'scroll'], ['G', 'end'], ['/', 'search'], ...common);
    case 'frames':
      return keyRow(['Enter', 'whole'], ['Space', 'pause'], ['f', 'kinds'], ['/', 'search'], ...common);
    case 'asks':
      return keyRow(['↑↓', 'choose'], ['Enter', 'answer'], ...common);
    default:
      return focus satisfies never;
  }
}

/** The last row: what just happened, or what can be done. */
export function statusBar(model: Model, cells: number): Line {
  const { confirm, toast } = model.ui;
  const choice = [...keyRow(['y', 'yes'], ['any other key', 'no']), span(' ')];
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
  if (toast) return spread([span(` ${safeLine(toast.text)}`, toastTone[toast.tone])], right, cells);
  return spread([span(' '), ...hints(model)], right, cells);
}
