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

/** Why something new was not begun. */
export const notStored = ({ keeper }: { keeper: 'disk' | 'copies' }): OperatorError =>
  keeper === 'disk'
    ? diskFull()
    : new OperatorError(
        'disk_full',
        'Nothing new is begun in this conversation: it cannot be kept on the nats-servers now.',
        'Nothing was taken. `synthesis cluster status` shows what is wrong; the bridge goes on by itself.',
      );

export const diskFull = (): OperatorError =>
  new OperatorError(
    'disk_full',
    'The disk is full, and nothing new is begun.',
    'Nothing was taken. Make room; the bridge goes on by itself, and then try again.',
  );
