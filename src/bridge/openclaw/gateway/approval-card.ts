// A permission question as OpenClaw's approval card shows it. Pure.
import { ranInTerminal } from '../../../domain/question/outcome.ts';
import { cardText } from '../../../domain/question/whole-text.ts';
import type { Ask } from '../../../domain/state/session.ts';
import type { SourceChat } from './source-chat.ts';

/** By this and the code we know our own among the gateway's open approvals. */
export const cardOwner = 'synthesis';

/** OpenClaw's limits, UTF-16 code units (measured on 2026.9.6). */
const titleLimit = 80;
const textLimit = 512;
/** Longest time OpenClaw keeps an approval open, milliseconds (measured on 2026.9.6). */
const longestMs = 600_000;

/** What a card cannot show whole is asked by text, and what needs more than yes or no. */
export const fitsCard = (ask: Ask): boolean =>
  (cardText(ask)?.length ?? Number.POSITIVE_INFINITY) <= textLimit;

/**
 * Parameters of `plugin.approval.request`. Two answers: that it was taken, and by `waitDecision` the decision.
 * @param now wall clock, epoch ms
 */
export function cardRequest(ask: Ask, { sessionKey, agentId, chat }: SourceChat, now: number) {
  const title = `Claude: ${ask.tool}`;
  const code = ` (${ask.code})`;
  return {
    title: `${title.slice(0, titleLimit - code.length).toWellFormed()}${code}`,
    description: cardText(ask) || '(no input)',
    pluginId: cardOwner,
    toolName: ask.tool,
    toolCallId: ask.code,
    agentId,
    sessionKey,
    allowedDecisions: ['allow-once', 'deny'],
    twoPhase: true,
    timeoutMs: Math.round(Math.max(1_000, Math.min(longestMs, ask.expiresAt - now))),
    ...(chat && {
      turnSourceChannel: chat.name,
      turnSourceTo: chat.to,
      ...(chat.account !== undefined && { turnSourceAccountId: chat.account }),
      ...(chat.thread !== undefined && { turnSourceThreadId: chat.thread }),
    }),
  };
}

export type CardDecision = 'allow-once' | 'deny';

/** What a card should show of a question that was answered elsewhere. Undefined while nobody has answered it. */
export function shownDecision({ state }: Ask): CardDecision | undefined {
  if (state.name === 'asked') return undefined;
  const allowed = state.verdict === 'allow' || (state.name === 'settled' && state.detail === ranInTerminal);
  return allowed ? 'allow-once' : 'deny';
}
