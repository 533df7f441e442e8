/** What is kept of data whose JSON is too long for a model's context. */
export interface Cut {
  /** Of the JSON of the whole. */
  characters: number;
  head: string;
  tail: string;
}

/**
 * @param limit most characters of the JSON of what is given back
 * @returns undefined if the data fits
 */
export function cutOf(data: unknown, limit: number): Cut | undefined {
  const json = JSON.stringify(data) ?? 'null';
  if (json.length <= limit) return undefined;
  // A text is cut as a text: escaped once more, its line ends could not be read.
  const text = typeof data === 'string' ? data : json;
  for (let share = 1; share > 0.01; share *= 0.7) {
    const head = text.slice(0, Math.floor(limit * 0.6 * share)).toWellFormed();
    const tail = text.slice(text.length - Math.floor(limit * 0.3 * share)).toWellFormed();
    const cut = { characters: json.length, head, tail };
    if (JSON.stringify(cut).length <= limit) return cut;
  }
  return { characters: json.length, head: '', tail: '' };
}
