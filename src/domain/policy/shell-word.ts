// One word of a shell command in pieces: what it says, and what only running it would tell.
import type { Word, WordPart } from 'unbash';

export type Piece =
  | { kind: 'text'; value: string }
  /** `*`, `**`, `?`, `[a-z]`, as a pattern of `*` and `?`. */
  | { kind: 'glob'; value: string }
  | { kind: 'home' }
  | { kind: 'cwd' }
  /** `variable`: what it is called; `quoted`: it is one word, whatever it says. */
  | { kind: 'unknown'; variable?: string; quoted?: true };

export interface ShellWord {
  pieces: readonly Piece[];
}

export const wordOf = (word: Word): ShellWord => ({ pieces: piecesOf(word) });

/** What the word says, if it says it without being run. */
export function literal({ pieces }: ShellWord): string | undefined {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind !== 'text') return undefined;
    text += piece.value;
  }
  return text;
}

export function piecesOf(word: Word): Piece[] {
  if (!word.parts) return begun(word);
  return word.parts.flatMap((part, index) =>
    index === 0 && part.type === 'Literal' ? begun(part) : pieces(part),
  );
}

/** The beginning of a word, which a shell may expand; zsh makes `=rm` the path of `rm`. */
function begun({ text, value }: { text: string; value: string }): Piece[] {
  if (text.startsWith('~')) return tilde(value);
  return /^=[^=]/.test(text) ? [{ kind: 'unknown' }] : [{ kind: 'text', value }];
}

/** `~` and `~/x` are this user's; whose `~name` is, nobody here knows. */
function tilde(value: string): Piece[] {
  return value === '~' || value.startsWith('~/')
    ? [{ kind: 'home' }, { kind: 'text', value: value.slice(1) }]
    : [{ kind: 'unknown' }];
}

function pieces(part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', value: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts
        .flatMap(pieces)
        .map((piece) => (piece.kind === 'unknown' ? { ...piece, quoted: true as const } : piece));
    case 'Glob':
      return [{ kind: 'glob', value: part.kind === 'star' ? part.text : '?' }];
    case 'SimpleExpansion':
      return [variable(part.text.slice(1))];
    case 'ParameterExpansion':
      return [part.prefix || part.index || part.operation ? { kind: 'unknown' } : variable(part.parameter)];
    case 'ProcessSubstitution':
      // A pipe to what stands in it, which is read for itself.
      return [{ kind: 'text', value: '/dev/fd/63' }];
    default:
      return [{ kind: 'unknown' }];
  }
}

function variable(name: string): Piece {
  if (name === 'HOME') return { kind: 'home' };
  return name === 'PWD' ? { kind: 'cwd' } : { kind: 'unknown', variable: name };
}
