import { chosenNode, reachNode, readBridgeFile } from './control-client.ts';
import type { RpcConnection } from './rpc-connection.ts';

/** Whether what this machine says is only a part: it is one of a cluster, and no other was meant. */
export const isOneOfMany = (state: string): boolean =>
  chosenNode() === undefined && readBridgeFile(state)?.node !== undefined;

/**
 * A list of this machine with those of the others of its cluster, each row with its machine's name. Without a cluster it
 * is as it was, and nothing is loaded for it.
 * @returns also why others are missing, in words
 */
export async function withOthers<R extends { node?: string }>(
  state: string,
  own: readonly R[],
  ask: (bridge: RpcConnection) => Promise<readonly R[]>,
): Promise<{ all: readonly R[]; silent: string[] }> {
  if (!isOneOfMany(state)) return { all: own, silent: [] };
  const { askOtherNodes } = await import('./other-nodes.ts');
  const { here, answers } = await askOtherNodes(state, ask);
  const on = (node: string, rows: readonly R[]) => rows.map((row): R => ({ ...row, node }));
  return {
    all: [...on(here, own), ...answers.flatMap((each) => ('value' in each ? on(each.node, each.value) : []))],
    silent: answers.flatMap((each) => ('words' in each ? [each.words] : [])),
  };
}

/**
 * From then on this process speaks to the machine that knows a session, when this one does not. Nothing is thrown: who
 * asks it next hears what is wrong.
 */
export async function reachNodeOf(state: string, session: string): Promise<void> {
  if (!isOneOfMany(state)) return;
  const { nodeOf } = await import('./other-nodes.ts');
  const node = await nodeOf(state, session).catch(() => undefined);
  if (node !== undefined) reachNode(node);
}
