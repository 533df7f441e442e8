// Every way in which a tool can fail, in one place: what its result says, and what Claude and the operator are told. The
// page docs/reference/tool-failures.md is this table.
import type { ToolStatus } from '../envelope.ts';

export interface ToolFailureRow {
  /** Of the result, not of whoever runs the tool. */
  readonly status: Exclude<ToolStatus, 'healthy'>;
  /** The same call, or the corrected one, may work later. */
  readonly recoverable: boolean;
  /** The bridge tries once more by itself, if the tool says that it is idempotent. */
  readonly retryOnce?: true;
  /** What happened, for the operator. */
  readonly meaning: string;
  /** What to do next, for Claude. */
  readonly suggestion: string;
  /** What to do, for the operator. */
  readonly remedy: string;
}

const intoTheAnswer = 'Put what you have to say into your answer; it reaches the chat by itself.';
const nothingToDo = 'Nothing has to be done.';

const table = {
  OLLAMA_UNREACHABLE: {
    status: 'degraded',
    recoverable: true,
    meaning: 'Ollama, which computes embeddings, does not answer.',
    suggestion: 'Retry after start of Ollama; until then go on with what the result holds.',
    remedy: 'Start Ollama with `ollama serve`.',
  },
  EMBEDDINGS_UNAVAILABLE: {
    status: 'degraded',
    recoverable: true,
    meaning: 'What finds notes by their meaning cannot be used; they are found by their words.',
    suggestion: 'Go on with what the result holds.',
    remedy: 'See what is wrong with `synthesis vault doctor`.',
  },
  INDEX_NOT_FOUND: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'There is no index yet.',
    suggestion: 'Run index first, then call it again.',
    remedy: 'Let the indexer run once.',
  },
  INDEX_CORRUPTED: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'The index is damaged.',
    suggestion: 'Run reindex, then call it again.',
    remedy: 'Let the indexer build the index anew, and look whether the disk is well.',
  },
  INDEX_BUILDING: {
    status: 'degraded',
    recoverable: true,
    meaning: 'The index is behind what is on the disk, and is being brought up to date.',
    suggestion: 'The result can be used, and may lack the newest. Ask again in a moment.',
    remedy: nothingToDo,
  },
  VAULT_UNREACHABLE: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'The folder of notes is not there, or may not be read.',
    suggestion: 'Go on without the notes, and tell the user that their folder cannot be read.',
    remedy: 'Look at `vault.path` in the configuration: a disk that is not mounted, a folder that was moved.',
  },
  NO_SUCH_NOTE: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'The vault has no such note, or it may not be read.',
    suggestion: 'Search again: the note may have another name now.',
    remedy: nothingToDo,
  },
  NOT_STORED: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'A memory could not be written; the note is as it was.',
    suggestion: 'Nothing was stored. Correct it as the message says, or try again later.',
    remedy: 'Look whether the disk is full, and whether the folder of memories may be written to.',
  },
  SECURITY_VIOLATION: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'A path led out of the folder that the tool may read.',
    suggestion: 'Do not try it again with another spelling; name a path inside of the folder.',
    remedy: 'Look who asked for that path with `synthesis audit`.',
  },
  SENSITIVE_FILTERED: {
    status: 'degraded',
    recoverable: true,
    meaning: 'Something sensitive was left out of the result.',
    suggestion: 'Go on without it, or call it again with confirmation by the user.',
    remedy: 'Confirm only if the chat may read it.',
  },
  INDEXER_FAILED: {
    status: 'unavailable',
    recoverable: true,
    retryOnce: true,
    meaning: 'The indexer crashed.',
    suggestion: 'Try again later, and tell the user if it fails again.',
    remedy: 'Read what the indexer wrote before it ended, and start it again.',
  },
  TIMEOUT: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'The provider gave no answer within its `timeoutMs`; it may have been done.',
    suggestion: 'It may have been done: check before you repeat it.',
    remedy: 'Look whether the provider is overloaded, or give it a longer `timeoutMs`.',
  },
  INVALID_ARGUMENTS: {
    status: 'degraded',
    recoverable: true,
    meaning: 'The arguments do not fit the tool; nothing was done.',
    suggestion: 'Correct the arguments and call it again.',
    remedy: nothingToDo,
  },
  PROVIDER_CRASHED: {
    status: 'unavailable',
    recoverable: true,
    retryOnce: true,
    meaning: 'The provider ended while it worked on the call; it may have been done.',
    suggestion: 'It may have been done: check before you repeat it.',
    remedy: 'See with `synthesis tools inspect` what the provider printed before it ended.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 'unavailable',
    recoverable: true,
    meaning:
      'The provider does not run, or failed so often that it is left alone for a while; nothing was done.',
    suggestion: 'Nothing was done. Try again later, or do without.',
    remedy: 'Find out with `synthesis tools inspect` why the provider does not run.',
  },
  PROVIDER_DEGRADED: {
    status: 'degraded',
    recoverable: true,
    meaning: 'The tool has answered, and its provider is not well.',
    suggestion: 'The result can be used. If it looks wrong, try again later.',
    remedy: 'See with `synthesis tools inspect` what is wrong with the provider.',
  },
  PROVIDER_BUSY: {
    status: 'degraded',
    recoverable: true,
    meaning: 'The queue of the provider is full; nothing was done.',
    suggestion: 'Nothing was done. Try again in a minute, with fewer calls at a time.',
    remedy: 'If it happens often, let the provider work on more calls at a time.',
  },
  PROVIDER_PROTOCOL: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'The provider answered with something that is no result of MCP.',
    suggestion: 'It may have been done: check, and go on without this tool.',
    remedy: 'Update the provider, or report the fault to its author.',
  },
  PROVIDER_SCHEMA_BROKEN: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'The result breaks the output schema that the tool has announced.',
    suggestion: 'It may have been done: check, and go on without this result.',
    remedy: 'Update the provider, or report the fault to its author.',
  },
  PERMISSION_MISSING: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'The tool needs a permission that the configuration does not grant to its provider.',
    suggestion: 'Nothing was done. Go on without it, and tell the user that the operator has to grant it.',
    remedy: 'Grant the permission to the provider in the configuration, if you want that.',
  },
  RESULT_TOO_LARGE: {
    status: 'degraded',
    recoverable: true,
    meaning: 'The result is larger than what may be handed to Claude.',
    suggestion: 'Ask for a smaller part.',
    remedy: nothingToDo,
  },
  CANCELLED: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'The call was taken back before its result came; it may have been done.',
    suggestion:
      'It may have been done: check before you repeat it, and repeat it only if it is still wanted.',
    remedy: nothingToDo,
  },
  DENIED: {
    status: 'unavailable',
    recoverable: false,
    meaning:
      'A person or the policy said no, or nobody could be asked or answered in time; nothing was done.',
    suggestion:
      'Nothing was done. Do not try to get the same another way; go on without it, or ask the user what to do instead.',
    remedy: 'Look with `synthesis audit` who or which rule said no.',
  },
  NO_SUCH_TOOL: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'No provider has a tool of that name.',
    suggestion: 'Nothing was done. Use one of the tools that are listed.',
    remedy: 'Look whether its provider is in the configuration and runs.',
  },
  TOOL_FAILED: {
    status: 'degraded',
    recoverable: false,
    meaning: 'The tool reported an error of its own.',
    suggestion: 'Check what was done before you repeat it.',
    remedy: 'Read the message; it is the tool’s.',
  },
  NO_ROUTE: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'No message is being answered, and OpenClaw’s gateway is not configured.',
    suggestion: intoTheAnswer,
    remedy: 'Name the gateway in `openclaw.gatewayUrl`, if tools are to run outside of an answer.',
  },
  GATEWAY_UNREACHABLE: {
    status: 'unavailable',
    recoverable: true,
    meaning: 'OpenClaw’s gateway cannot be reached; nothing was done.',
    suggestion: `Nothing was done. Try again later, or do without. ${intoTheAnswer}`,
    remedy: 'Start OpenClaw’s gateway, and look at `openclaw.gatewayUrl`.',
  },
  GATEWAY_REFUSED: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'OpenClaw’s gateway refused the call, or does not take the configured token.',
    suggestion: 'Nothing was done. The operator can look with `synthesis doctor`.',
    remedy: 'Compare the file in `openclaw.tokenFile` with the token of the gateway.',
  },
  NO_CHAT: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'The conversation has no chat of OpenClaw to send to.',
    suggestion: intoTheAnswer,
    remedy: nothingToDo,
  },
  NOT_PERMITTED: {
    status: 'unavailable',
    recoverable: false,
    meaning:
      'Outside of an answer the tool would run with the rights of OpenClaw’s owner, and others write there.',
    suggestion: 'Nothing was done. Use it while you answer a message of the chat.',
    remedy: 'Name whoever may have it in `approvers`, if you trust them with your machine.',
  },
  NOT_OFFERED: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'OpenClaw does not offer the tool any more.',
    suggestion: 'Go on without it.',
    remedy: nothingToDo,
  },
  TOOL_NOT_AVAILABLE: {
    status: 'unavailable',
    recoverable: false,
    meaning: 'OpenClaw does not run this tool outside of an answer; nothing was done.',
    suggestion: 'Nothing was done. Use your own tools, or use it while you answer a message of the chat.',
    remedy: 'Allow it in the configuration of OpenClaw’s gateway, if you want that.',
  },
  BLOCKED: {
    status: 'degraded',
    recoverable: false,
    meaning: 'OpenClaw’s own policy does not allow the call.',
    suggestion: 'Tell the user that OpenClaw does not allow it.',
    remedy: 'Change the tool policy of OpenClaw, if you want that.',
  },
  BUSY: {
    status: 'degraded',
    recoverable: true,
    meaning: 'OpenClaw’s gateway takes no more calls at the moment; nothing was done.',
    suggestion: 'Nothing was done. Try again in a minute.',
    remedy: nothingToDo,
  },
  NO_ANSWER: {
    status: 'degraded',
    recoverable: false,
    meaning: 'OpenClaw’s gateway took the call and did not answer; it may have been done.',
    suggestion: 'It may have been done: check before you repeat it.',
    remedy: 'Look into the log of OpenClaw.',
  },
  FILE_REFUSED: {
    status: 'degraded',
    recoverable: true,
    meaning: 'A file may not be sent to a chat; nothing was sent.',
    suggestion: 'Copy the file into the working folder, or make it smaller, and send it again.',
    remedy: nothingToDo,
  },
} as const satisfies Record<string, ToolFailureRow>;

export const toolFailures: Readonly<Record<keyof typeof table, ToolFailureRow>> = table;
export type ToolFailureCode = keyof typeof toolFailures;
