import type { ControlErrorCode } from '../../../domain/views/control-errors.ts';

/** A refusal an operator reads: what happened, and what to do next. */
export class OperatorError extends Error {
  readonly code: ControlErrorCode;
  readonly suggestion: string;

  constructor(code: ControlErrorCode, message: string, suggestion: string) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
    this.suggestion = suggestion;
  }
}

export const diskFull = (): OperatorError =>
  new OperatorError(
    'disk_full',
    'The disk is full, and nothing new is begun.',
    'Nothing was taken. Make room; the bridge goes on by itself, and then try again.',
  );
