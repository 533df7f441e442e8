import type { Ask } from '../../../src/domain/state/session.ts';

/** An open question. */
export const askOf = (fields: Partial<Ask> = {}): Ask => ({
  code: 'abcde',
  tool: 'Bash',
  input: { command: 'ls' },
  expiresAt: 0,
  cut: false,
  suggestions: [],
  guesses: 0,
  shownParts: [],
  told: 'nothing',
  state: { name: 'asked' },
  ...fields,
});

/** What a picture says, told again to the letter: the opposite of `exact` and `broken`. */
export const toldAgain = (shown: string): string =>
  shown
    .replaceAll('⟦↵⟧\n', '')
    .replace(/⟦U\+([0-9A-F]+)(?:×(\d+))?⟧/g, (_, hex: string, count = '1') =>
      String.fromCodePoint(Number.parseInt(hex, 16)).repeat(Number(count)),
    );
