import { frameKinds, kindOf, kindTone, kindWords } from '../frames/frame-kind.ts';
import type { Model } from '../model/model.ts';
import { type Line, span, toned } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

/** Which kinds of frames are shown. */
export function kindsSheet({ frames, ui }: Model, at: number): Sheet {
  const counts = new Map<string, number>();
  for (const { event } of frames) counts.set(kindOf(event), (counts.get(kindOf(event)) ?? 0) + 1);
  const lines = frameKinds.map((kind, index): Line => {
    const shown = !ui.frames.hidden.has(kind);
    const row: Line = [
      span(shown ? '[x] ' : '[ ] ', shown ? 'good' : 'dim'),
      span(kind.padEnd(12), kindTone[kind]),
      span(String(counts.get(kind) ?? 0).padStart(6), 'dim'),
      span(`   ${kindWords[kind]}`, 'dim'),
    ];
    return index === at ? toned(row, 'chosen') : row;
  });
  const foot = keyRow(['↑↓', 'choose'], ['Space', 'show or hide'], ['a', 'show all'], ['Esc', 'close']);
  return { title: [span('Kinds of frames', 'strong')], lines, foot };
}
