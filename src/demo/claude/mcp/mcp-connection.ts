/** A connection to one MCP server. */
export interface McpConnection {
  send(message: object): void;
  /** Ends it the way Claude Code does. Idempotent. */
  stop(): Promise<void>;
}

export interface McpListener {
  onMessage(message: unknown): void;
  /** Once. */
  onExit(reason: string): void;
}
