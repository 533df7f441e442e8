export type OpenClawErrorCode =
  | 'openclaw_missing'
  | 'openclaw_too_old'
  | 'openclaw_readonly'
  | 'openclaw_config_invalid'
  | 'openclaw_refused'
  | 'openclaw_timeout'
  | 'openclaw_conflict'
  | 'no_vault'
  | 'no_bridge_address';

/** Why OpenClaw could not be set up: what happened, and what to do next. */
export class OpenClawError extends Error {
  readonly code: OpenClawErrorCode;
  readonly suggestion: string;

  constructor(code: OpenClawErrorCode, message: string, suggestion: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OpenClawError';
    this.code = code;
    this.suggestion = suggestion;
  }
}
