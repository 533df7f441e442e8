import type { SessionRow } from './session-row.ts';

export interface FailedStart {
  /** `chat`, `chat and 3 more`. */
  who: string;
  /** The code, and what was said in one line; foreign text. */
  cause: string;
  remedy: string;
}

/** Sessions whose Claude Code does not start, each cause once, and what mends it. */
export function failedStarts(rows: readonly SessionRow[]): FailedStart[] {
  // Not those of the past: a Claude Code that ended with the last bridge is started again when it is needed.
  const failed = rows.filter(({ failure }) => /^(?:claude|folder|start)_/.test(failure ?? ''));
  const causes = Map.groupBy(failed, (row) => JSON.stringify([causeOf(row), row.cwd]));
  return [...causes.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const { id, key } = first;
    // A bridge of an older release says no more than the code.
    const remedy = first.failure_remedy ?? `\`synthesis inspect ${id}\` shows how it stands.`;
    return [{ who: more.length > 0 ? `${key} and ${more.length} more` : key, cause: causeOf(first), remedy }];
  });
}

function causeOf({ failure, failure_words: words }: SessionRow): string {
  const line = words?.split('\n', 1)[0]?.replace(/\.$/, '');
  return line ? `${failure}: ${line}` : (failure ?? '');
}
