import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf, wrap } from '../../src/demo/claude/screen/cells.ts';
import { drawDialog, pressDialog } from '../../src/demo/claude/screen/dialog.ts';
import { emptyBox } from '../../src/demo/claude/screen/input-box.ts';
import { emptyView, layOutBottom } from '../../src/demo/claude/screen/view.ts';

const dialog = {
  lines: [' Proceed?'],
  options: [
    { label: 'Yes', effect: 'yes' },
    { label: 'No', effect: 'no' },
  ],
  selected: 0,
  numbered: true,
  cancel: 'cancelled',
  hint: 'Esc to cancel',
};

test('wrapping keeps every character and never exceeds the width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (line, columns) => {
      const rows = wrap(line, columns);
      for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
      expect([...rows.join('')]).toHaveLength([...line].length);
    }),
  );
});

test('the prompt row is drawn only when the session is ready', () => {
  expect(layOutBottom(emptyView, 40).rows).toEqual([]);
  const { rows: bottom, cursor } = layOutBottom(
    { ...emptyView, ready: true, box: { ...emptyBox, text: 'hi' } },
    40,
  );
  expect(bottom.at(-3)).toBe('❯ hi');
  expect(bottom.at(-1)).toContain('⏸ manual mode on');
  expect(cursor?.column).toBe(4);
});

test('a dialog stands in the place of the prompt', () => {
  const { rows: bottom } = layOutBottom({ ...emptyView, ready: true, dialog: drawDialog(dialog) }, 40);
  expect(bottom.join('\n')).toContain(' ❯ 1. Yes');
  expect(bottom.join('\n')).not.toContain('manual mode');
});

test.each([
  ['Enter takes the highlighted option', { kind: 'key', name: 'enter' }, 'yes'],
  ['a digit takes its option', { kind: 'text', text: '2', bulk: false }, 'no'],
  ['Esc cancels', { kind: 'key', name: 'escape' }, 'cancelled'],
] as const)('%s', (_, key, effect) => {
  expect(pressDialog(dialog, key)).toEqual({ kind: 'chosen', effect });
});

test('pasted digits and other text leave a dialog open', () => {
  expect(pressDialog(dialog, { kind: 'paste', text: '1' }).kind).toBe('open');
  expect(pressDialog(dialog, { kind: 'text', text: 'yes', bulk: false }).kind).toBe('open');
  expect(pressDialog(dialog, { kind: 'text', text: '9', bulk: false }).kind).toBe('open');
});
