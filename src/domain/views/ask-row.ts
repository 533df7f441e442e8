import { isCut, questionText } from '../question.ts';
import { openAsks, type Session } from '../session.ts';
import { sessionRuleTexts } from '../session-scope.ts';

/** A permission question that waits for a human. The stable `--json` shape of `synthesis approvals`. */
export interface AskRow {
  code: string;
  session: string;
  tool: string;
  input: unknown;
  rationale: string | null;
  /** Only a preview of the input is known. */
  cut: boolean;
  /** What `--scope session` would allow besides, one line each; empty when it is not offered. */
  session_rules: string[];
  /** As a chat would read it: everything foreign made visible, long inputs as head and tail. */
  question: string;
  expires_at: string;
}

export function askRows(session: Session): AskRow[] {
  return openAsks(session).map((ask) => ({
    code: ask.code,
    session: session.key,
    tool: ask.tool,
    input: ask.input,
    rationale: ask.rationale ?? null,
    cut: ask.cut,
    session_rules: isCut(ask) ? [] : sessionRuleTexts(ask.suggestions),
    question: questionText(ask, 'operator'),
    expires_at: new Date(ask.expiresAt).toISOString(),
  }));
}
