export type JournalErrorCode =
  | 'journal_locked'
  | 'journal_newer'
  | 'journal_write'
  | 'journal_closed'
  | 'audit_key'
  | 'segment_damaged';

/** What the journal refuses, in words: `message` says what happened, `suggestion` what to do next. */
export class JournalError extends Error {
  readonly code: JournalErrorCode;
  readonly suggestion: string;

  constructor(code: JournalErrorCode, message: string, suggestion: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.suggestion = suggestion;
  }
}

/** Another process has this journal open. The lock is the kernel's, so it is free as soon as that process is gone. */
export class JournalLockedError extends JournalError {
  constructor(dir: string, cause?: unknown) {
    super(
      'journal_locked',
      `another bridge is already running with the state directory ${dir}`,
      'stop it with `synthesis down`, take over from it with `synthesis up --replace`, or give this one its own --state-dir',
      cause,
    );
  }
}

/** The journal was written by a later release. Nothing was changed. */
export class JournalNewerError extends JournalError {
  constructor(file: string, found: number, known: number) {
    super(
      'journal_newer',
      `${file} has format ${found}, this release knows formats up to ${known}`,
      'run the release that wrote it, or give this one its own --state-dir',
    );
  }
}

/** The disk refused a row. Whatever `durable()` had not yet promised may be missing after a restart. */
export class JournalWriteError extends JournalError {
  /** True for a full disk: the rows are kept in memory and written as soon as there is room. */
  readonly retrying: boolean;

  constructor(message: string, retrying: boolean, cause?: unknown) {
    const suggestion = retrying
      ? 'free some disk space; the bridge tries again by itself'
      : 'check the disk, then start the bridge again';
    super('journal_write', message, suggestion, cause);
    this.retrying = retrying;
  }

  static full(cause: unknown): JournalWriteError {
    return new JournalWriteError('the disk is full: the journal cannot be written', true, cause);
  }

  static failed(cause: unknown): JournalWriteError {
    return new JournalWriteError('the disk failed: the journal cannot be written', false, cause);
  }

  static stayedFull(): JournalWriteError {
    return new JournalWriteError('the disk stayed full for too long: no more can be kept in memory', false);
  }
}

export class JournalClosedError extends JournalError {
  constructor() {
    super('journal_closed', 'the journal is closed', 'start the bridge again');
  }
}

/** The key that the journal is sealed with cannot be had. Nothing was changed, nothing was started. */
export class AuditKeyError extends JournalError {
  constructor(message: string, suggestion: string, cause?: unknown) {
    super('audit_key', message, suggestion, cause);
  }
}
