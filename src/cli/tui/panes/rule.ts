import { fitLine, type Line, type Span, span, spread } from '../text/line.ts';

/** A pane's first row: its number and name on the left, what can be said of it on the right. */
export function rule(title: Line, note: Line, focused: boolean, cells: number): Line {
  const tone = focused ? 'accent' : 'dim';
  const left: Span[] = [span('─ ', tone), ...title, span(' ', tone)];
  const right: Span[] = note.length === 0 ? [] : [span(' '), ...note, span(' ─', tone)];
  const used = [...left, ...right].reduce((sum, { text }) => sum + text.length, 0);
  const filled = [...left, span('─'.repeat(Math.max(0, cells - used)), tone)];
  return right.length === 0 ? fitLine(filled, cells) : spread(filled, right, cells);
}

/** `1 Sessions`, in the tone of its focus. */
export const titled = (number: number, name: string, focused: boolean): Line => [
  span(String(number), 'key'),
  span(` ${name}`, focused ? 'strong' : 'dim'),
];
