import type { Needs } from '../../../protocol/settings/policy.ts';
import { digestOf } from '../../question/picture.ts';
import { sessionRuleTexts } from '../../question/session-scope.ts';
import { wholeText } from '../../question/whole-text.ts';
import { type Ask, openAsks, type Session } from '../../state/session.ts';

/** A permission question that waits for a human. The stable `--json` shape of `synthesis approvals`. */
export interface AskRow {
  code: string;
  session: string;
  /** Of the cluster, the machine that asks; absent where only one was asked. */
  node?: string;
  /** The agent that asks; null when it is Claude itself. */
  agent: { id: string; title: string | null } | null;
  tool: string;
  input: unknown;
  rationale: string | null;
  /** Only a preview of the input is known. */
  cut: boolean;
  /** What `--scope session` would allow besides, one line each; empty when it is not offered. */
  session_rules: string[];
  /** All of it for people, what would run behind bars (`│ `), every character of it visible. */
  question: string;
  /** Names what `question` shows; who allows it gives it back. */
  digest: string;
  /** Whose yes the policy needs; null when anybody's who may answer will do. */
  needs: Needs | null;
  /** What asks for it, in words; null when it is Claude Code's own permission mode. */
  rule: string | null;
  expires_at: string;
}

export const askRows = (session: Session): AskRow[] =>
  openAsks(session).map((ask) => askRow(ask, session.key));

export function askRow(ask: Ask, key: string): AskRow {
  return {
    code: ask.code,
    session: key,
    agent: ask.agent ? { id: ask.agent.id, title: ask.agent.title ?? null } : null,
    tool: ask.tool,
    input: ask.input,
    rationale: ask.rationale ?? null,
    cut: ask.cut,
    session_rules: ask.cut ? [] : sessionRuleTexts(ask.suggestions),
    question: wholeText(ask),
    digest: digestOf(ask),
    needs: ask.needs ?? null,
    rule: ask.rule ?? null,
    expires_at: new Date(ask.expiresAt).toISOString(),
  };
}
