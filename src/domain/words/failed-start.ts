// Why a session's Claude Code does not run, and what mends it: told alike in chats, by `ps`, `inspect` and `doctor`.
import type { FailureCode } from '../../protocol/events/failures.ts';
import { isDialog } from '../question/dialog-question.ts';
import { openAsks, type Session } from '../state/session.ts';
import { remedyText } from './problem-text.ts';
import { placesOf } from './turn-words.ts';

export interface Failure {
  code: FailureCode;
  /** What was said: by Claude Code, or about it. Foreign text, several lines. */
  words: string | undefined;
  /** A sentence with the command. */
  remedy: string;
}

/** @returns undefined for one that runs, was ended in an orderly way, or ended while there was no bridge */
export function failureOf(session: Session): Failure | undefined {
  const { key, agent, claude } = session;
  const code = agent.name === 'dialog' || agent.name === 'stopped' ? agent.failure : undefined;
  // After the machine was started anew that is all of them: nothing is to be mended, the next message starts it.
  if (code === undefined || code === 'bridge_restarted') return undefined;
  const isAsked = agent.name === 'dialog' && openAsks(session).some(isDialog);
  return {
    code,
    words: agent.name === 'stopped' ? agent.detail : undefined,
    remedy: isAsked ? askedWords : remedyText(code, { session: key, ...placesOf(claude) }),
  };
}

const askedWords = 'Answer it in the chat that is asked, or here: `synthesis approvals` has it.';
