// What a spare host waits for: for whom it is. One line of JSON on stdin, and then its end.
import { readFileSync } from 'node:fs';

export interface Order {
  /** The session's folder. */
  dir: string;
  /** Names the host. */
  run: string;
  /** Where it listens. */
  socket: string;
}

/**
 * Waits for as long as it takes, and does nothing else meanwhile.
 * @returns undefined when whoever would give it is gone
 * @throws Error in words, or the system's error
 */
export function awaitOrder(): Order | undefined {
  const text = readFileSync(0, 'utf8');
  return text === '' ? undefined : readOrder(text);
}

/** @throws Error in words */
export function readOrder(text: string): Order {
  const { dir, run, socket } = parsed(text);
  if (isName(dir) && isName(run) && isName(socket)) return { dir, run, socket };
  throw new Error('its order names no folder, run and socket');
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

function parsed(text: string): Partial<Record<keyof Order, unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    throw new Error('its order is no JSON');
  }
}
