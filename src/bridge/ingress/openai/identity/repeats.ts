// Which earlier response a request repeats, and which answers its client does not have. Pure.
//
// A response that OpenClaw took ends up in its history. So what the assistant and the tools have said so far names a
// state: every response that was given in this same state before was lost, however it looked from here, for example
// because the connection broke behind the last byte that could be seen.
import { hashId } from '../../../../base/digest.ts';
import type { Session } from '../../../../domain/state/session.ts';
import type { Turn } from '../../../../domain/state/turn.ts';
import type { NewestInput } from '../input/newest-input.ts';
import type { Message, ProviderRequest } from '../request/provider-request.ts';

/** Stands for a message in `Turn.parts`. */
export const partOf = (text: string): string => hashId(text, 16);

/** Whether the turn was started by this message, alone or with others. */
export const holds = (turn: Turn, text: string): boolean =>
  turn.text === text || (turn.parts?.includes(partOf(text)) ?? false);

/**
 * Equal for every attempt at the same response: OpenClaw rewrites the user's text and rebuilds its own context for each.
 * A plain client repeats its request as it was; where the same words start another turn, they are no attempt at it.
 */
export function responseName(
  request: ProviderRequest,
  about: { fromOpenClaw: boolean; input: NewestInput; target: string },
): string {
  const { fromOpenClaw, input, target } = about;
  if (!fromOpenClaw) return `${hashId(JSON.stringify(request.messages.filter(isTold)), 24)}.${target}`;
  return `${stateName(request)}.${partOf(input.texts.at(-1)?.text ?? '')}.${target}`;
}

const stateName = ({ messages }: ProviderRequest): string =>
  hashId(JSON.stringify(messages.filter(({ role }) => role === 'assistant' || role === 'tool')), 16);

const isTold = ({ role }: Message): boolean => role !== 'system';

/** Turn → where its text has to be read from once more. */
export type Lost = ReadonlyMap<string, number>;

export function lostTurns(session: Session, request: ProviderRequest, input: NewestInput): Lost {
  const older = input.texts.slice(0, -1);
  // Where OpenClaw cuts its history, states repeat; so the request itself has to show that an answer is missing.
  const isMissing = (turn: Turn) =>
    input.toolResults.length > 0 || older.some(({ text }) => holds(turn, text));
  const missing = session.turns.filter(isMissing);
  // Mostly there are none, and the history need not be looked through.
  if (missing.length === 0) return new Map();
  const state = `${stateName(request)}.`;
  const lost = missing.flatMap((turn) => {
    const read = turn.reads.find((each) => each.request.startsWith(state));
    return read ? [[turn.id, read.start] as const] : [];
  });
  return new Map(lost);
}
