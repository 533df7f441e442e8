// A dialog on the screen and what keys do to it. Pure.
import type { Key } from './keys.ts';

/** `E` is what choosing an option means to whoever opened the dialog. */
export interface Dialog<E> {
  /** What stands above the options. */
  lines: string[];
  options: { label: string; effect: E }[];
  /** Index of the highlighted option: what Enter takes. */
  selected: number;
  /** Digits stand in front of the options. Typing one chooses it. */
  numbered: boolean;
  /** The options stand in one row. */
  beside?: boolean;
  /** What Esc means. */
  cancel: E;
  hint: string;
}

export type DialogStep<E> = { kind: 'open'; dialog: Dialog<E> } | { kind: 'chosen'; effect: E };

/**
 * Applies one key: Enter takes the highlighted option, a typed digit its option, Esc cancels, arrows move.
 * Pasted text is ignored, other text too (measured on 2.1.329).
 */
export function pressDialog<E>(dialog: Dialog<E>, key: Key): DialogStep<E> {
  const chosen = (effect: E | undefined): DialogStep<E> =>
    effect === undefined ? { kind: 'open', dialog } : { kind: 'chosen', effect };
  const move = (by: number): DialogStep<E> => {
    const count = dialog.options.length;
    return { kind: 'open', dialog: { ...dialog, selected: (dialog.selected + by + count) % count } };
  };
  if (key.kind === 'paste') return { kind: 'open', dialog };
  if (key.kind === 'text') return chosen(dialog.options[Number(/^[1-9]/.exec(key.text)?.[0]) - 1]?.effect);
  switch (key.name) {
    case 'enter':
      return chosen(dialog.options[dialog.selected]?.effect);
    case 'escape':
    case 'ctrl-c':
      return { kind: 'chosen', effect: dialog.cancel };
    case 'up':
      return move(-1);
    case 'down':
      return move(1);
    default:
      return { kind: 'open', dialog };
  }
}

export function drawDialog<E>({ lines, options, selected, numbered, beside, hint }: Dialog<E>): string[] {
  const drawn = options.map(({ label }, at) => {
    const number = numbered ? `${at + 1}. ` : '';
    return ` ${at === selected ? '❯' : ' '} ${number}${label}`;
  });
  const menu = beside ? [` ${drawn.join('  ')}`] : drawn;
  return ['─', ...lines, ...menu, '', ` ${hint}`];
}
