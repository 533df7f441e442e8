// What an answer is made of, before it is rendered for one of the two APIs.
import { wireCallId } from '../request/call-id.ts';

/** Constant through one response. */
export interface ResponseHead {
  /** Without prefix: letters and digits. */
  id: string;
  /** Wall clock, epoch seconds. */
  created: number;
  /** As asked for by the client. */
  model: string;
  /** A client may come back to it by its id. */
  stored?: true;
  /** Id, as on the wire, of the response that it continues. */
  previous?: string;
}

export interface ToolCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** Why a response ends. `tool_calls`: the turn goes on once their results arrive. */
export type Finish = 'stop' | 'tool_calls';

export interface Usage {
  input: number;
  output: number;
}

/** One token per four characters is the usual estimate. */
const CHARACTERS_PER_TOKEN = 4;
/** OpenClaw compacts its own transcript by these numbers; Claude Code keeps its own, so they stay small. */
const MAX_REPORTED_TOKENS = 2_000;

/**
 * Usage to report for a response.
 * @param characters of the newest input and of the answer, UTF-16 code units.
 */
export function smallUsage(characters: Usage): Usage {
  const tokens = (count: number) =>
    Math.min(MAX_REPORTED_TOKENS, Math.max(1, Math.ceil(count / CHARACTERS_PER_TOKEN)));
  return { input: tokens(characters.input), output: tokens(characters.output) };
}

/** A call as both APIs write it: clean id, arguments as JSON text. */
export const wireCall = ({ id, name, args }: ToolCall) => ({
  id: wireCallId(id),
  name,
  arguments: JSON.stringify(args),
});
