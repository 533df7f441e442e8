import type { Voice } from '../../../domain/question/approvers.ts';
import type { Session } from '../../../domain/state/session.ts';
import type { Identity } from './identity/identity.ts';
import { type Lost, lostTurns } from './identity/repeats.ts';
import type { ConversationCall } from './input/classify.ts';
import type { NewestInput } from './input/newest-input.ts';
import type { OpenClawFacts } from './input/openclaw-facts.ts';
import { voiceOf } from './input/voice.ts';
import type { ProviderRequest } from './request/provider-request.ts';

/** One request of a conversation, with what was read from it. */
export interface Case {
  request: ProviderRequest;
  identity: Identity;
  input: NewestInput;
  /** OpenClaw repeats a message only when the first attempt failed; a plain client may send one twice on purpose. */
  fromOpenClaw: boolean;
  /** OpenClaw's runner says that an attempt before this one failed. */
  repeats: boolean;
  /** Who wrote the newest message. */
  voice: Voice;
  /** By which of the hub's accounts of that channel it came. */
  account: string | undefined;
  /** Turns whose answer the client does not have. */
  lost: Lost;
}

/** @param session the conversation as it was before this request */
export function caseOf(
  { request, identity }: Pick<Case, 'request' | 'identity'>,
  { kind, input }: ConversationCall,
  facts: OpenClawFacts | undefined,
  session: Session | undefined,
): Case {
  return {
    request,
    identity,
    input,
    fromOpenClaw: facts !== undefined,
    repeats: kind === 'retry' || kind === 'continue',
    voice: voiceOf(facts, input, identity.key, session),
    account: facts?.meta?.account_id,
    lost: facts && session ? lostTurns(session, request, input) : new Map(),
  };
}
