// Pure: pictures of Claude Code's own that stand in the place of the prompt and ask nothing. Esc closes them and does nothing
// else; somebody left them open in the terminal.
import { isRule } from './screen-reader.ts';

export interface OpenView {
  id: string;
  /** Measured with. */
  version: string;
}

interface KnownView extends OpenView {
  /** Its last row, and what may be said about the one above. What Claude writes never stands there. */
  footer: RegExp;
  isBelowRule?: true;
}

const views: readonly KnownView[] = [
  { id: 'transcript', version: '2.1.332', footer: /^\s*Showing detailed transcript · /, isBelowRule: true },
  { id: 'history', version: '2.1.332', footer: /^\s*↑\/↓ to navigate · ctrl\+s to change scope · / },
];

/** @returns undefined when none stands there */
export function viewOn(rows: readonly string[]): OpenView | undefined {
  const filled = rows.filter((row) => row.trim() !== '');
  return views.find(({ footer, isBelowRule }) =>
    isBelowRule
      ? filled.slice(-3).some((row, at, last) => footer.test(row) && isRule(last[at - 1] ?? ''))
      : footer.test(filled.at(-1) ?? ''),
  );
}
