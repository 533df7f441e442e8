/** One finding of `synthesis doctor`. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do about it; null when all is well. */
  suggestion: string | null;
}

/** The stable `--json` shape of `synthesis doctor`. */
export interface Diagnosis {
  status: 'healthy' | 'degraded' | 'unavailable';
  checks: Check[];
}

export const ok = (name: string, message: string): Check => ({
  name,
  status: 'ok',
  message,
  suggestion: null,
});

/** Answers are given, but something works less well than it should. */
export const warning = (name: string, message: string, suggestion: string): Check => ({
  name,
  status: 'warning',
  message,
  suggestion,
});

/** No answer can be given like this. */
export const failed = (name: string, message: string, suggestion: string): Check => ({
  name,
  status: 'failed',
  message,
  suggestion,
});

export function diagnosis(checks: Check[]): Diagnosis {
  if (checks.some((check) => check.status === 'failed')) return { status: 'unavailable', checks };
  return { status: checks.some((check) => check.status === 'warning') ? 'degraded' : 'healthy', checks };
}
