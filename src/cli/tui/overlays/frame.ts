import { visible } from '../../../domain/safe-text.ts';
import { safeLine } from '../../output/safe.ts';
import { wrap } from '../../text/wrap.ts';
import { kindOf, kindTone } from '../frames/frame-kind.ts';
import { frameName } from '../frames/frame-words.ts';
import type { Model } from '../model/model.ts';
import { type Line, line, span } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

const foot = keyRow(['←', 'older'], ['→', 'newer'], ['↑↓', 'scroll'], ['Esc', 'close']);

/** One frame, whole and exact: what cannot be seen is written out. */
export function frameSheet(model: Model, n: number, cells: number): Sheet {
  const row = model.frames.find((each) => each.n === n);
  const title: Line = [span(row ? frameName(row) : 'Frame', 'strong')];
  if (!row)
    return {
      title,
      foot,
      lines: [line('This frame is no longer kept in memory: `synthesis logs` has it.', 'dim')],
    };
  const about: Line[] = [
    [span('type     ', 'dim'), span(safeLine(row.event.type), kindTone[kindOf(row.event)])],
    [span('at       ', 'dim'), span(new Date(row.at).toISOString())],
    [span('session  ', 'dim'), span(safeLine(row.session))],
    [],
  ];
  const json = visible(JSON.stringify(row.event, undefined, 2));
  return { title, foot, lines: [...about, ...wrap(json, cells - 3).map(jsonLine)] };
}

/** Names stand back, values stand out. */
function jsonLine(text: string): Line {
  const name = /^\s*"[^"]*":/.exec(text)?.[0];
  return name === undefined ? line(text) : [span(name, 'dim'), span(text.slice(name.length))];
}
