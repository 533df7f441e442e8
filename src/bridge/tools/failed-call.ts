// Why a call brought no result, as an envelope's code and words.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { ZodError } from 'zod';
import type { ToolFailureCode } from '../../protocol/events/tool-failures.ts';
import { LanesFullError } from './lanes.ts';
import { cleanWords } from './words/clean-words.ts';

export interface FailedCall {
  provider: string;
  tool: string;
  /** What the provider was given in confidence. */
  secrets: readonly string[];
  /** It was handed to the provider. */
  sent: boolean;
  /** It was not done within so many milliseconds. */
  late: number | undefined;
  /** Nobody waits for it any more. */
  cancelled: boolean;
  /** The connection ended meanwhile: how, in words. */
  ended: string | undefined;
}

/** @param error what was thrown where the call was made */
export function failedCall(error: unknown, about: FailedCall): { code: ToolFailureCode; message: string } {
  const { provider, tool, sent, late, cancelled, ended } = about;
  if (cancelled) return { code: 'CANCELLED', message: `${tool} is not wanted any more.` };
  if (error instanceof LanesFullError)
    return { code: 'PROVIDER_BUSY', message: `${provider}: ${error.message}.` };
  if (late !== undefined) {
    const span = `${late} ms`;
    return sent
      ? { code: 'TIMEOUT', message: `${provider} did not answer ${tool} within ${span}.` }
      : { code: 'PROVIDER_BUSY', message: `${tool} waited ${span} behind other calls of ${provider}.` };
  }
  if (ended)
    return { code: 'PROVIDER_CRASHED', message: cleanWords(`${provider} is gone: ${ended}.`, about.secrets) };
  if (error instanceof ZodError)
    return {
      code: 'PROVIDER_PROTOCOL',
      message: `${tool} answered with something that is no result of a tool.`,
    };
  if (!(error instanceof McpError)) {
    // Nobody listens there: it cannot have been done.
    const code = isRefused(error) ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_CRASHED';
    return { code, message: `${provider} could not be reached.` };
  }
  const words = cleanWords(error.message.replace(/^MCP error -?\d+: /, ''), about.secrets);
  return {
    code: codes[error.code] ?? 'TOOL_FAILED',
    message: words || `${provider} refused the call without words.`,
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

const codes: Readonly<Record<number, ToolFailureCode>> = {
  [ErrorCode.InvalidParams]: 'INVALID_ARGUMENTS',
  [ErrorCode.MethodNotFound]: 'NO_SUCH_TOOL',
  [ErrorCode.ConnectionClosed]: 'PROVIDER_CRASHED',
};
