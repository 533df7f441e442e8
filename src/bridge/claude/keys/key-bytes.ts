// Key names as Claude Code's keybindings.json writes them ("ctrl+x ctrl+s"), and the bytes that a terminal sends for them.

/** Names that mean the same key, as Claude Code 2.1.332 reads them. */
const aliases: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  control: 'ctrl',
  alt: 'meta',
  opt: 'meta',
  option: 'meta',
};

const modifiers = new Set(['ctrl', 'meta', 'shift', 'cmd', 'command', 'super', 'win']);

const plain: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  space: ' ',
  backspace: '\x7f',
};

/** Returns one spelling for every spelling of the same keys. */
export function normalKeys(keys: string): string {
  if (keys === ' ') return 'space';
  return keys.trim().split(/\s+/).map(normalStroke).join(' ');
}

function normalStroke(stroke: string): string {
  const parts = stroke.split('+').map((part) => part.trim().toLowerCase());
  const names = parts.map((part) => aliases[part] ?? part);
  const held = names.filter((name) => modifiers.has(name)).sort();
  const key = names.findLast((name) => !modifiers.has(name)) ?? '';
  return [...held, key].join('+');
}

/** Returns what a terminal sends for these keys; undefined for keys that not every terminal can send. */
export function keyBytes(keys: string): string | undefined {
  const strokes = normalKeys(keys).split(' ').map(strokeBytes);
  return strokes.every((bytes) => bytes !== undefined) ? strokes.join('') : undefined;
}

function strokeBytes(stroke: string): string | undefined {
  const parts = stroke.split('+');
  const key = parts.at(-1) ?? '';
  const held = parts.slice(0, -1).join('+');
  const bare = plain[key] ?? (/^[!-~]$/.test(key) ? key : undefined);
  if (held === '') return bare;
  if (held === 'meta') return bare === undefined ? undefined : `\x1b${bare}`;
  if (held === 'ctrl' && /^[a-z\]\\_^]$/.test(key)) return String.fromCharCode(key.charCodeAt(0) & 31);
  return undefined;
}
