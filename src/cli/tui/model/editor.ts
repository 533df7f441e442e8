// A text under a cursor. The cursor stands before a character a person would call one, whatever it is made of.
import { first, last } from '../../text/width.ts';

export interface Editor {
  readonly before: string;
  readonly after: string;
}

export const emptyEditor: Editor = { before: '', after: '' };
export const textOf = ({ before, after }: Editor): string => before + after;

/** Longest text that can be typed or pasted, characters: the control socket takes 8 MB a line. */
const longest = 200_000;

export function insert(editor: Editor, text: string): Editor {
  const room = longest - textOf(editor).length;
  const clean = text.replace(/\r\n?/g, '\n').slice(0, Math.max(0, room)).toWellFormed();
  return { ...editor, before: editor.before + clean };
}

const lineStart = (text: string): number => text.lastIndexOf('\n') + 1;
const lineEnd = (text: string): number => (text.includes('\n') ? text.indexOf('\n') : text.length);

/** Moves the cursor so that `at` characters stand before it. */
const cut = (editor: Editor, at: number): Editor => {
  const text = textOf(editor);
  return { before: text.slice(0, at), after: text.slice(at) };
};

function wordStart(text: string): number {
  return text.trimEnd().search(/\S+$/) === -1 ? 0 : text.trimEnd().search(/\S+$/);
}

/** One line up or down, in the same column as far as that line goes. */
function vertical(editor: Editor, by: -1 | 1): Editor {
  const lines = textOf(editor).split('\n');
  const row = editor.before.split('\n').length - 1;
  const column = editor.before.length - lineStart(editor.before);
  const target = lines[row + by];
  if (target === undefined) return editor;
  const before = lines.slice(0, row + by).reduce((sum, each) => sum + each.length + 1, 0);
  return cut(editor, before + Math.min(column, target.length));
}

const moves: Record<string, (editor: Editor) => Editor> = {
  left: (e) => cut(e, e.before.length - last(e.before).length),
  right: (e) => cut(e, e.before.length + first(e.after).length),
  up: (e) => vertical(e, -1),
  down: (e) => vertical(e, 1),
  home: (e) => cut(e, lineStart(e.before)),
  end: (e) => cut(e, e.before.length + lineEnd(e.after)),
  'ctrl+a': (e) => cut(e, lineStart(e.before)),
  'ctrl+e': (e) => cut(e, e.before.length + lineEnd(e.after)),
  backspace: (e) => ({ ...e, before: e.before.slice(0, e.before.length - last(e.before).length) }),
  delete: (e) => ({ ...e, after: e.after.slice(first(e.after).length) }),
  'ctrl+u': (e) => ({ ...e, before: e.before.slice(0, lineStart(e.before)) }),
  'ctrl+k': (e) => ({ ...e, after: e.after.slice(lineEnd(e.after)) }),
  'ctrl+w': (e) => ({ ...e, before: e.before.slice(0, wordStart(e.before)) }),
};

/** @returns undefined for a key that edits nothing. */
export const edit = (editor: Editor, key: string): Editor | undefined => moves[key]?.(editor);
