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

/** What people or Claude wrote, or what may quote it: a log tells its length alone, unless texts are asked for. */
export class PrivateText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface JsonLogOptions {
  write(line: string): void;
  level?: LogLevel;
  /** Whether what people and Claude wrote is told, too. */
  texts?: boolean;
  /** Wall clock, epoch milliseconds. */
  wall(): number;
}

const lengthOf = ({ length }: string): string => `(${length} characters)`;

/** `quotes`: it is in somebody else's words, as that of JSON.parse is. */
const isQuoting = (error: Error & { quotes?: unknown }): boolean =>
  error instanceof SyntaxError || error.quotes === true;

function errorValue(error: Error & { code?: unknown }, texts: boolean): LogFields {
  const { name, code, message, stack, cause } = error;
  if (texts || !isQuoting(error)) return { name, code, message, stack, cause };
  const length = lengthOf(message);
  return { name, code, message: length, stack: stack?.replace(message, () => length), cause };
}

/** One JSON object per line, so that no text can forge a second line. */
export function jsonLog(options: JsonLogOptions, fixed: LogFields = {}): Log {
  const { texts = false } = options;
  const lowest = levels.indexOf(options.level ?? 'info');
  const plain = (_key: string, value: unknown): unknown => {
    if (value instanceof PrivateText) return texts ? value.text : lengthOf(value.text);
    return value instanceof Error ? errorValue(value, texts) : value;
  };
  const line = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (levels.indexOf(level) < lowest) return;
    const time = new Date(options.wall()).toISOString();
    options.write(`${JSON.stringify({ time, level, message, ...fixed, ...fields }, plain)}\n`);
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
