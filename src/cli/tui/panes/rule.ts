import { safeLine } from '../../output/safe.ts';
import type { Pane, Ui } from '../model/model.ts';
import { fitLine, type Line, lineWidth, type Span, span, spread } from '../text/line.ts';

/** A pane's first row: its number and name on the left, what can be said of it on the right. */
export function rule(title: Line, note: Line, focused: boolean, cells: number): Line {
  const tone = focused ? 'accent' : 'dim';
  const left: Span[] = [span('─ ', tone), ...title, span(' ', tone)];
  const right: Span[] = note.length === 0 ? [] : [span(' '), ...note, span(' ─', tone)];
  const used = lineWidth([...left, ...right]);
  const filled = [...left, span('─'.repeat(Math.max(0, cells - used)), tone)];
  return right.length === 0 ? fitLine(filled, cells) : spread(filled, right, cells);
}

/** `1 Sessions`, in the tone of its focus. */
export const titled = (number: number, name: string, focused: boolean): Line => [
  span(String(number), 'key'),
  span(` ${name}`, focused ? 'strong' : 'dim'),
];

/** What can be said of a pane, with dots between. */
export const notes = (...parts: readonly (Line | false)[]): Span[] =>
  parts
    .filter((part): part is Line => part !== false && part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [span(' · ', 'dim'), ...part]));

/** `/telegram`, where something is filtered out. */
export const filterSpans = ({ filters }: Ui, pane: Pane): Line => {
  const { [pane]: text } = filters;
  return text === undefined ? [] : [span(`/${safeLine(text)}`, 'accent')];
};
