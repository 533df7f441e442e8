import { openAsks, type Session } from '../session.ts';

/** A permission question that waits for a human. The stable `--json` shape of `synthesis approvals`. */
export interface AskRow {
  code: string;
  session: string;
  tool: string;
  input: unknown;
  rationale: string | null;
  expires_at: string;
}

export function askRows(session: Session): AskRow[] {
  return openAsks(session).map((ask) => ({
    code: ask.code,
    session: session.key,
    tool: ask.tool,
    input: ask.input,
    rationale: ask.rationale ?? null,
    expires_at: new Date(ask.expiresAt).toISOString(),
  }));
}
