/** What became of a call. `envelope`: the result, or the error, is the JSON text of one. */
export type CallOutcome = ({ ok: true; result?: unknown } | { ok: false; error: string }) & {
  envelope?: true;
};

export interface CallRequest {
  /** Of the MCP request, as its transport gave it. */
  id: string | number;
  tool: string;
  args: Record<string, unknown>;
  toolUseId?: string | undefined;
  /** Aborts when Claude no longer wants the answer. */
  signal: AbortSignal;
}

/** @param detail how much too large */
export const argumentsTooLarge = (detail: string): string =>
  `The arguments are too large to be sent (${detail}). Write them to a file and pass its path.`;
