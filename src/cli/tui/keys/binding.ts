import type { Outcome } from '../model/effect.ts';
import type { Model } from '../model/model.ts';

/** What a key does. The tables of bindings are also what the help overlay shows. */
export interface Binding {
  /** Names as `keyNames` makes them: `a`, `enter`, `ctrl+l`, `shift+tab`. */
  keys: readonly string[];
  /** As it is shown to people. */
  show: string;
  words: string;
  run(model: Model, key: string): Outcome;
}

export function runBinding(bindings: readonly Binding[], model: Model, key: string): Outcome | undefined {
  return bindings.find(({ keys }) => keys.includes(key))?.run(model, key);
}

/** How far a key moves in a list of which `page` rows are seen; undefined for a key that does not move. */
export function movement(key: string, page: number): number | undefined {
  switch (key) {
    case 'up':
    case 'k':
      return -1;
    case 'down':
    case 'j':
      return 1;
    case 'pageup':
    case 'ctrl+u':
      return -Math.max(1, page - 1);
    case 'pagedown':
    case 'ctrl+d':
      return Math.max(1, page - 1);
    case 'home':
    case 'g':
      return Number.NEGATIVE_INFINITY;
    case 'end':
    case 'G':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}

export const moveKeys = [
  'up',
  'k',
  'down',
  'j',
  'pageup',
  'ctrl+u',
  'pagedown',
  'ctrl+d',
  'home',
  'g',
  'end',
  'G',
];

export const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));
