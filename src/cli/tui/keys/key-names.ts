import type { Key } from 'ink';

const named: readonly (readonly [flag: keyof Key, name: string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

const controls: Record<string, string> = { '\r': 'enter', '\n': 'ctrl+j', '\t': 'tab', ' ': 'space' };

/**
 * The keys in one piece of input, each with the text that it types. Fast typing arrives several characters at once.
 * Alt+Enter is `ctrl+j`: both start a new line. Alt and a letter is Esc and the letter: a terminal that waits a moment for
 * the rest of a sequence, as tmux does, makes the one of the other, and nothing here has a use for Alt.
 */
export function keyNames(input: string, key: Key): { name: string; text: string }[] {
  if (key.return) return [{ name: key.meta || key.shift ? 'ctrl+j' : 'enter', text: '' }];
  const special = named.find(([flag]) => key[flag]);
  if (special) return [{ name: special[1], text: '' }];
  if (key.tab) return [{ name: key.shift ? 'shift+tab' : 'tab', text: '' }];
  if (key.ctrl) return [{ name: `ctrl+${input}`, text: '' }];
  const keys = [...input].map((char) => {
    const name = controls[char] ?? char;
    return { name, text: char === '\r' || char === '\t' || char < ' ' ? '' : char };
  });
  return key.meta ? [{ name: 'esc', text: '' }, ...keys] : keys;
}
