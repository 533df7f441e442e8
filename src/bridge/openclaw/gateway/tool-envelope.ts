// How a tool of ours, or one that is run out of turn, says that it could not be used: in words and fields that Claude
// can act on, never a raw exception.

export type ToolFailureCode =
  | 'NOT_CONFIGURED'
  | 'GATEWAY_UNREACHABLE'
  | 'GATEWAY_REFUSED'
  | 'NO_CHAT'
  | 'NOT_PERMITTED'
  | 'NOT_OFFERED'
  | 'TOOL_NOT_AVAILABLE'
  | 'BAD_INPUT'
  | 'BLOCKED'
  | 'BUSY'
  | 'NO_ANSWER'
  | 'TOOL_FAILED'
  | 'FILE_REFUSED';

interface Advice {
  status: 'degraded' | 'unavailable';
  /** Whether the same call may work later. */
  recoverable: boolean;
  suggestion: string;
}

const intoTheAnswer = 'Put what you have to say into your answer; it reaches the chat by itself.';

const advice: Record<ToolFailureCode, Advice> = {
  NOT_CONFIGURED: { status: 'unavailable', recoverable: false, suggestion: intoTheAnswer },
  GATEWAY_UNREACHABLE: {
    status: 'unavailable',
    recoverable: true,
    suggestion: `Nothing was done. Try again later, or do without. ${intoTheAnswer}`,
  },
  GATEWAY_REFUSED: {
    status: 'unavailable',
    recoverable: false,
    suggestion: 'Nothing was done. The operator can look with `synthesis doctor`.',
  },
  NO_CHAT: { status: 'unavailable', recoverable: false, suggestion: intoTheAnswer },
  NOT_PERMITTED: {
    status: 'unavailable',
    recoverable: false,
    suggestion: 'Nothing was done. Use it while you answer a message of the chat.',
  },
  NOT_OFFERED: { status: 'unavailable', recoverable: false, suggestion: 'Go on without it.' },
  TOOL_NOT_AVAILABLE: {
    status: 'unavailable',
    recoverable: false,
    suggestion: 'Nothing was done. Use your own tools, or use it while you answer a message of the chat.',
  },
  BAD_INPUT: {
    status: 'degraded',
    recoverable: true,
    suggestion: 'Correct the arguments and call it again.',
  },
  BLOCKED: {
    status: 'degraded',
    recoverable: false,
    suggestion: 'Tell the user that OpenClaw does not allow it.',
  },
  BUSY: { status: 'degraded', recoverable: true, suggestion: 'Nothing was done. Try again in a minute.' },
  NO_ANSWER: {
    status: 'degraded',
    recoverable: false,
    suggestion: 'It may have been done: check before you repeat it.',
  },
  TOOL_FAILED: {
    status: 'degraded',
    recoverable: false,
    suggestion: 'Check what was done before you repeat it.',
  },
  FILE_REFUSED: {
    status: 'degraded',
    recoverable: true,
    suggestion: 'Copy the file into the working folder, or make it smaller, and send it again.',
  },
};

/** Why a tool could not be used; {@link envelopeOf} tells Claude. */
export class ToolFailure extends Error {
  readonly code: ToolFailureCode;
  /** For the log: the words may be a tool's own. */
  readonly quotes = true;

  constructor(code: ToolFailureCode, message: string) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
  }
}

/** The standard envelope of a failed call, as text. */
export function envelopeOf(tool: string, failure: ToolFailure): string {
  const { status, recoverable, suggestion } = advice[failure.code];
  const error = { code: failure.code, message: failure.message, recoverable, suggestion };
  return JSON.stringify({ status, data: null, error, meta: { tool } });
}
