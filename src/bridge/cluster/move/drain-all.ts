import type { Drained } from '../../../domain/views/cluster.ts';
import { OperatorError } from '../../app/operator/operator-error.ts';

/** Conversations that are brought away at once: each ends a Claude Code. */
const atOnce = 4;

/** Where one is to go, or why it stays, in words. */
export type Target = { to: string } | { stays: string };

/** Brings each conversation to another machine. One that cannot be brought keeps no other back. */
export async function drainAll(
  keys: readonly string[],
  port: { targetOf(key: string): Target; move(key: string, to: string): Promise<void> },
): Promise<Drained> {
  const drained: Drained = { moved: [], left: [] };
  const waiting = [...keys];
  const one = async (key: string) => {
    const target = port.targetOf(key);
    const words = 'stays' in target ? target.stays : await whyNot(port.move(key, target.to));
    if (words !== undefined) drained.left.push({ session: key, words });
    else if ('to' in target) drained.moved.push({ session: key, node: target.to });
  };
  const work = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await one(key);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return drained;
}

/** @returns undefined when it was brought there */
async function whyNot(move: Promise<void>): Promise<string | undefined> {
  try {
    await move;
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}
