export type MemoryErrorCode = 'memory_invalid' | 'memory_busy' | 'memory_disk' | 'memory_place';

/** A memory that was not stored, in words: `message` says what happened, `suggestion` what to do next. */
export class MemoryError extends Error {
  readonly code: MemoryErrorCode;
  readonly suggestion: string;

  constructor(code: MemoryErrorCode, message: string, suggestion: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MemoryError';
    this.code = code;
    this.suggestion = suggestion;
  }

  /** What was asked for cannot be written as a memory. */
  static invalid(message: string, suggestion = 'Change it and store it again.'): MemoryError {
    return new MemoryError('memory_invalid', message, suggestion);
  }
}
