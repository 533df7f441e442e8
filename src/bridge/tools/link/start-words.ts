// Why there is no connection, in words for an operator.
const byCause: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers at its address',
  ECONNRESET: 'its address hangs up',
  ENOTFOUND: 'the host of its address is not known',
  ERR_MODULE_NOT_FOUND: 'its module was not found',
};

/** @param error what starting or reaching a provider threw */
export function startWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = byCause[codeOf(error) ?? ''] ?? byCause[codeOf(error.cause) ?? ''];
  if (known) return known;
  if (error.name === 'UnauthorizedError') return refused(401);
  // The SDK's error of an HTTP status that is none of success.
  const status =
    'code' in error && typeof error.code === 'number' && error.code >= 400 ? error.code : undefined;
  if (status === 401 || status === 403) return refused(status);
  if (status !== undefined) return `its address answers with HTTP ${status}`;
  return error.message.replace(/^MCP error -?\d+: /, '') || 'it could not be started';
}

const refused = (status: number): string =>
  `its address refuses us (HTTP ${status}): look at its \`headers\``;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
