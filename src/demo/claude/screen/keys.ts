// Bytes from the terminal become key events. Mouse, focus and answers to terminal queries are swallowed here.

export type Key =
  /** Typed text; `\n` in it is Ctrl+J. `bulk` is true for more than 800 characters in one read: that counts as a paste. */
  | { kind: 'text'; text: string; bulk: boolean }
  | { kind: 'paste'; text: string }
  | { kind: 'key'; name: KeyName };

export type KeyName =
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'shift-tab'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-g'
  | 'ctrl-k'
  | 'ctrl-s'
  | 'ctrl-u'
  | 'ctrl-x'
  | 'ctrl-x ctrl-k'
  | 'ctrl-x ctrl-s'
  | 'ctrl-x enter';

const controls: Record<string, KeyName> = {
  '\r': 'enter',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x07': 'ctrl-g',
  '\x0b': 'ctrl-k',
  '\x13': 'ctrl-s',
  '\x15': 'ctrl-u',
  '\x18': 'ctrl-x',
};

const sequences: Record<string, KeyName> = {
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1bOA': 'up',
  '\x1bOB': 'down',
  '\x1b[Z': 'shift-tab',
};

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

/** One read above this many characters counts as a paste (measured on 2.1.329). */
const bulkChars = 800;

/** Stateful: sequences and pastes may be cut anywhere. A lone ESC is reported by {@link KeyReader.flush}. */
export class KeyReader {
  #rest = '';

  /** True while an escape sequence, or an ESC key, is unfinished. */
  get unfinished(): boolean {
    return this.#rest.startsWith('\x1b') && !this.#rest.startsWith(pasteStart);
  }

  push(chunk: string): Key[] {
    this.#rest += chunk;
    const keys: Key[] = [];
    while (this.#rest !== '') {
      const taken = this.#take(keys);
      if (taken === 0) break;
      this.#rest = this.#rest.slice(taken);
    }
    return keys;
  }

  /** Nothing more came: what looked like the start of a sequence was the Escape key. */
  flush(): Key[] {
    if (!this.unfinished) return [];
    this.#rest = this.#rest.slice(1);
    return [{ kind: 'key', name: 'escape' }, ...this.push('')];
  }

  /** Takes one event off the front. @returns the characters used, 0 when more are needed. */
  #take(keys: Key[]): number {
    const rest = this.#rest;
    if (rest.startsWith(pasteStart)) return takePaste(rest, keys);
    if (rest.startsWith('\x1b')) return takeSequence(rest, keys);
    const control = controls[rest[0] ?? ''];
    if (control) {
      keys.push({ kind: 'key', name: control });
      return 1;
    }
    const text = /^[^\x1b\r\x7f\b\x03\x04\x07\x0b\x13\x15\x18]+/.exec(rest)?.[0] ?? '';
    keys.push({ kind: 'text', text, bulk: text.length > bulkChars });
    return text.length;
  }
}

function takePaste(rest: string, keys: Key[]): number {
  const end = rest.indexOf(pasteEnd, pasteStart.length);
  if (end < 0) return 0;
  keys.push({ kind: 'paste', text: rest.slice(pasteStart.length, end) });
  return end + pasteEnd.length;
}

function takeSequence(rest: string, keys: Key[]): number {
  const whole =
    /^\x1b\[[0-?]*[ -/]*[@-~]/.exec(rest) ?? // CSI: keys, mouse, focus, device answers
    /^\x1bO[ -~]/.exec(rest) ??
    /^\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)/.exec(rest); // OSC, DCS and friends
  if (whole) {
    const name = sequences[whole[0]];
    if (name) keys.push({ kind: 'key', name });
    return whole[0].length;
  }
  if (/^\x1b(?:$|\[[0-?]*[ -/]*$|O$|[\]P_^X][^\x07\x1b]*\x1b?$)/.test(rest)) return 0;
  keys.push({ kind: 'key', name: 'escape' });
  return 1;
}
