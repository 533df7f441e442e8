// What a call of a tool would change in a file, as far as the call itself says it.

export interface Piece {
  /** Undefined: what the file holds now. */
  before?: string;
  after: string;
}

export interface Change {
  path: string;
  pieces: readonly Piece[];
}

const text = (value: unknown): value is string => typeof value === 'string';

/** @returns undefined for a call that changes no file in words that are known */
export function changeOf(tool: string, input: unknown): Change | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { file_path: path, content, edits } = input as Record<string, unknown>;
  if (!text(path)) return undefined;
  switch (tool) {
    case 'Write':
      return text(content) ? { path, pieces: [{ after: content }] } : undefined;
    case 'Edit':
      return piecesOf(path, [input]);
    case 'MultiEdit':
      return Array.isArray(edits) ? piecesOf(path, edits) : undefined;
    default:
      return undefined;
  }
}

function piecesOf(path: string, edits: readonly unknown[]): Change | undefined {
  const pieces = edits.map((edit): Piece | undefined => {
    const { old_string: before, new_string: after } = (edit ?? {}) as Record<string, unknown>;
    return text(before) && text(after) ? { before, after } : undefined;
  });
  const known = pieces.filter((piece) => piece !== undefined);
  // One that cannot be read would be left out without a word.
  return known.length > 0 && known.length === pieces.length ? { path, pieces: known } : undefined;
}
