export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to every line. */
  child(fields: LogFields): Log;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number];

export interface JsonLogOptions {
  write(line: string): void;
  level?: LogLevel;
  /** Wall clock, epoch milliseconds. */
  wall(): number;
}

function jsonValue(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  }
  return value;
}

/** One JSON object per line, so that no text can forge a second line. */
export function jsonLog(options: JsonLogOptions, fixed: LogFields = {}): Log {
  const lowest = levels.indexOf(options.level ?? 'info');
  const line = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (levels.indexOf(level) < lowest) return;
    const time = new Date(options.wall()).toISOString();
    options.write(`${JSON.stringify({ time, level, message, ...fixed, ...fields }, jsonValue)}\n`);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => jsonLog(options, { ...fixed, ...fields }),
  };
}

const nothing = () => {};

export const silentLog: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLog,
};
