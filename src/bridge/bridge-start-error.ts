/** Why the bridge did not start: what happened, and what to do next. Nothing was changed. */
export class BridgeStartError extends Error {
  readonly code: string;
  readonly suggestion: string;

  constructor(code: string, message: string, suggestion: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BridgeStartError';
    this.code = code;
    this.suggestion = suggestion;
  }
}
