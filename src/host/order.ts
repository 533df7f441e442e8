// What a host waits for: for whom it is, and who may own it. One line of JSON on stdin, and then its end.
import { readFileSync } from 'node:fs';
import type { HostOrder } from '../protocol/wire/host.ts';

const names = ['dir', 'run', 'socket', 'secret'] as const satisfies (keyof HostOrder)[];

/**
 * Waits for as long as it takes, and does nothing else meanwhile.
 * @returns undefined when whoever would give it is gone
 * @throws Error in words, or the system's error
 */
export function awaitOrder(): HostOrder | undefined {
  const text = readFileSync(0, 'utf8');
  return text === '' ? undefined : readOrder(text);
}

/** @throws Error in words, without anything of the order */
export function readOrder(text: string): HostOrder {
  const given = parsed(text);
  if (!names.every((name) => typeof given[name] === 'string' && given[name] !== ''))
    throw new Error('its order names no folder, run, socket and secret');
  const { dir, run, socket, secret } = given as HostOrder;
  return { dir, run, socket, secret };
}

function parsed(text: string): Partial<Record<keyof HostOrder, unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    throw new Error('its order is no JSON');
  }
}
