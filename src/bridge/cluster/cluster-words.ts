// What people are told of other machines.
import type { Health } from '../../protocol/events/events.ts';
import type { LinkState } from './nats-link.ts';
import { TunnelError } from './tunnel/tunnel-error.ts';

/** Conversations that a notice names. */
const mostNamed = 3;

/** What is full is not away. */
export const unreachedText = (node: string, error: unknown, isTakenOver: boolean): string =>
  error instanceof TunnelError && error.code === 'refused'
    ? `This conversation lives on ${node}, which refuses: ${error.message} Your message was not taken; send it again in a minute.`
    : error instanceof TunnelError && error.code === 'closed'
      ? unreachable
      : awayText(node, isTakenOver);

/** @param reason why it is not connected, or has no part in the cluster */
export function clusterHealth({
  link,
  reason,
  isTaken,
  strays,
  isFull,
  refused,
  unerased,
}: {
  link: LinkState['name'];
  reason: string | undefined;
  isTaken: boolean;
  strays: ReadonlyMap<string, string>;
  /** What is to be kept on the servers finds no room there. */
  isFull: boolean;
  /** Conversations of nodes that are gone which cannot go on here, and why. */
  refused: ReadonlyMap<string, string>;
  /** Conversations that were removed and lie on the servers still, each with the node that goes on with it. */
  unerased: ReadonlyMap<string, string | undefined>;
}): Health[] {
  const health: Health[] = [];
  if (link !== 'connected') {
    const why = (reason ?? 'none has answered yet').replace(/\.$/, '');
    const words = `The nats-servers cannot be reached: ${why}. What lives here goes on; new conversations and those of other nodes are refused.`;
    health.push({ code: 'cluster_unreachable', words });
  } else if (reason !== undefined)
    health.push({ code: isTaken ? 'cluster_name_taken' : 'cluster_failing', words: reason });
  if (isFull) health.push({ code: 'cluster_full', words: fullWords });
  if (refused.size > 0) health.push({ code: 'not_taken_over', words: refusedWords(refused) });
  const taken = new Map([...unerased].flatMap(([key, node]) => (node === undefined ? [] : [[key, node]])));
  const left = unerased.size - taken.size;
  if (left > 0) health.push({ code: 'not_erased', words: leftWords(left) });
  if (taken.size > 0) health.push({ code: 'removed_elsewhere', words: takenWords(taken) });
  if (strays.size > 0) health.push({ code: 'conversation_elsewhere', words: strayWords(strays) });
  return health;
}

const fullWords =
  'The nats-servers have no room for more of what another node may take over: no new messages are taken in those conversations. Raise `cluster.storeMb`, or remove what is not needed.';

/** Of many a few are named. */
function listed(all: ReadonlyMap<string, string>): string {
  const named = [...all].slice(0, mostNamed).map(([key, about]) => `${key} (${about})`);
  const more = all.size - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const refusedWords = (refused: ReadonlyMap<string, string>): string =>
  `Conversations of a node that is gone cannot go on here: ${listed(refused)}. Nothing of them is lost.`;

const leftWords = (left: number): string =>
  `The nats-servers still have the text of ${left} removed conversation${left === 1 ? '' : 's'}. It is erased there as soon as they can be reached; nothing of it comes back.`;

function takenWords(taken: ReadonlyMap<string, string>): string {
  const all = listed(new Map([...taken].map(([key, node]) => [key, `on ${node}`])));
  return `Conversations that were removed here while the nats-servers could not be reached were taken over by other nodes before these could be told: ${all}. \`synthesis rm\` with \`--node\` removes them there.`;
}

function strayWords(strays: ReadonlyMap<string, string>): string {
  const all = listed(new Map([...strays].map(([key, node]) => [key, `on ${node}`])));
  return `Of conversations that live on other nodes there is something here from before, which gets no more messages: ${all}. \`synthesis rm\` removes it here; with \`--node\` it removes the other, and this one goes on.`;
}

const awayText = (node: string, isTakenOver: boolean): string =>
  `This conversation lives on ${node}, which is away. Your message was not taken: send it again ${isTakenOver ? 'in a minute, when another machine goes on with it' : `when ${node} is back`}.`;

export const unreachable =
  'Where this conversation lives cannot be found out now: the cluster cannot be reached. Your message was not taken; send it again in a minute.';
