// What people are told of other machines.
import { TunnelError } from './tunnel/tunnel-error.ts';

/** Conversations that a notice names. */
const mostNamed = 3;

/** What is full is not away. */
export const unreachedText = (node: string, error: unknown): string =>
  error instanceof TunnelError && error.code === 'refused'
    ? `This conversation lives on ${node}, which refuses: ${error.message} Your message was not taken; send it again in a minute.`
    : error instanceof TunnelError && error.code === 'closed'
      ? unreachable
      : awayText(node);

/** Of many a few are named. */
export function strayWords(strays: ReadonlyMap<string, string>): string {
  const named = [...strays].slice(0, mostNamed).map(([key, node]) => `${key} (on ${node})`);
  const more = strays.size - named.length;
  const all = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `Of conversations that live on other nodes there is something here from before, which gets no more messages: ${all}. \`synthesis rm\` removes it here; with \`--node\` it removes the other, and this one goes on.`;
}

const awayText = (node: string): string =>
  `This conversation lives on ${node}, which is away. Your message was not taken: send it again when ${node} is back.`;

export const unreachable =
  'Where this conversation lives cannot be found out now: the cluster cannot be reached. Your message was not taken; send it again in a minute.';
