/** What OpenClaw 2026.9.6 posts for an answer, by its parts. */
export const openClawBody = (parts: { sessionId: string; messages: object[]; tools: object[] }): string =>
  JSON.stringify({
    model: 'claude',
    messages: parts.messages,
    stream: true,
    stream_options: { include_usage: true },
    prompt_cache_key: `${parts.sessionId}:0`,
    tools: parts.tools,
    tool_choice: 'auto',
    max_completion_tokens: 32_000,
  });
