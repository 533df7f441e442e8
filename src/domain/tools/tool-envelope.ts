// What a tool answers with, made the same way by whoever runs it: in words and fields that Claude can act on, never a
// raw exception. Pure.
import type { Envelope, ToolMeta } from '../../protocol/envelope.ts';
import { type ToolFailureCode, toolFailures } from '../../protocol/events/tool-failures.ts';

const noMeta: ToolMeta = { query_time_ms: 0, chunks_scanned: null, index_version: null, vault_mtime: null };

export const succeeded = (data: Envelope['data'], meta: Partial<ToolMeta> = {}): Envelope => ({
  status: 'healthy',
  data,
  error: null,
  meta: { ...noMeta, ...meta },
});

export interface FailedOptions {
  meta?: Partial<ToolMeta>;
  /** What to do next, where something better is known than the table has. */
  suggestion?: string;
  status?: Envelope['status'];
  /** What there is all the same. */
  data?: Envelope['data'];
}

/** @param message what happened, for people: no stack, no path of this machine, no secret */
export function failed(code: ToolFailureCode, message: string, options: FailedOptions = {}): Envelope {
  const row = toolFailures[code];
  const { meta, suggestion = row.suggestion, status = row.status, data = null } = options;
  const error = { code, message, recoverable: row.recoverable, suggestion };
  return { status, data, error, meta: { ...noMeta, ...meta } };
}

/** Why a tool could not be used; {@link failed} tells Claude. */
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
