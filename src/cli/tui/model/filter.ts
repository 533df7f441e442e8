import { type Filters, type Model, type Pane, withFrames, withUi } from './model.ts';

/** Whether every word of the filter is in the text, whatever its case. */
export function passes(filter: string, textOf: () => string): boolean {
  const words = filter.toLowerCase().split(' ').filter(Boolean);
  if (words.length === 0) return true;
  const text = textOf().toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The filter of one pane; '' takes it away. */
export function withFilter(model: Model, pane: Pane, text: string): Model {
  const { [pane]: _, ...others } = model.ui.filters;
  const filters: Filters = text === '' ? others : { ...others, [pane]: text };
  const next = withUi(model, { filters });
  return pane === 'frames' ? withFrames(next, { at: undefined }) : next;
}
