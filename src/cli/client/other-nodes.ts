// The other machines of a cluster, as a command reaches them: each by its own connection, by way of the bridge here.
import type { ClusterView } from '../../domain/views/cluster.ts';
import { nodeDoubt } from '../../domain/views/words/node-doubt.ts';
import { CliError } from '../cli-error.ts';
import { callBridge, connectBridge } from './control-client.ts';
import type { RpcConnection } from './rpc-connection.ts';

/** For one machine to answer, ms: the others are not kept waiting for it. */
const patience = { timeoutMs: 5_000 };

/** What one machine answered, or why it did not, in words. `node` is `*` for those that are not known. */
export type NodeAnswer<T> = { node: string } & ({ value: T } | { words: string });

/** States in which a machine can be asked. */
const askable: readonly string[] = ['alive', 'draining'];

/** @returns names of those that are there, without this one; `doubt`: see `nodeDoubt` */
export async function otherNodes(
  state: string,
): Promise<{ here: string; others: string[]; away: string[]; stopped: string[]; doubt?: string }> {
  const view: ClusterView | null = await callBridge(state, 'cluster.status', {}, patience);
  if (!view) return { here: '', others: [], away: [], stopped: [] };
  const { node: here, nodes } = view;
  const doubt = nodeDoubt(view);
  if (view.state !== 'connected') return { here, others: [], away: [], stopped: [], doubt };
  const named = (...wanted: string[]) =>
    nodes.filter((row) => row.node !== here && wanted.includes(row.state)).map(({ node }) => node);
  return { here, others: named(...askable), away: named('away'), stopped: named('stopped'), doubt };
}

/** Asks every other machine at once. One that does not answer keeps no other back. */
export async function askOtherNodes<T>(
  state: string,
  ask: (bridge: RpcConnection) => Promise<T>,
): Promise<{ here: string; answers: NodeAnswer<T>[] }> {
  const { here, others, away, doubt } = await otherNodes(state);
  const gone = away.map((node) => ({ node, words: `Node "${node}" is away.` }));
  const unknown = doubt === undefined ? [] : [{ node: '*', words: doubt }];
  return { here, answers: [...(await askAll(state, others, ask)), ...gone, ...unknown] };
}

function askAll<T>(
  state: string,
  nodes: readonly string[],
  ask: (bridge: RpcConnection) => Promise<T>,
): Promise<NodeAnswer<T>[]> {
  const one = async (node: string): Promise<NodeAnswer<T>> => {
    try {
      const connection = await connectBridge(state, node);
      try {
        return { node, value: await ask(connection) };
      } finally {
        connection.close();
      }
    } catch (error) {
      if (error instanceof CliError) return { node, words: error.message };
      throw error;
    }
  };
  return Promise.all(nodes.map(one));
}

/**
 * Does on another machine what could not be done here, as nobody knows here what was named. That one is away is a guess:
 * it is asked last, and nobody says before that there is no such thing.
 * @throws CliError what was thrown here, when nobody knows it anywhere; `node_away` when not everybody could be asked
 */
export async function onOtherNodes<T>(
  state: string,
  use: (bridge: RpcConnection) => Promise<T>,
  unknown: CliError,
): Promise<T> {
  const { here, others, away, stopped, doubt } = await otherNodes(state);
  const asked: string[] = [];
  const silent = [
    ...(doubt === undefined ? [] : [doubt]),
    ...stopped.map((node) => `Node "${node}" is stopped.`),
  ];
  for (const node of [...others, ...away]) {
    const connection = await reached(state, node);
    if (connection instanceof CliError) {
      silent.push(connection.message);
      continue;
    }
    asked.push(node);
    try {
      return await use(connection);
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== unknown.code) throw error;
    } finally {
      connection.close();
    }
  }
  const { exit, code, message, suggestion } = unknown;
  const nor = asked.length > 0 ? [`Nor is it known on ${asked.join(', ')}.`] : [];
  if (silent.length === 0) throw new CliError(exit, code, [message, ...nor].join(' '), suggestion);
  throw new CliError(
    'not_running',
    'node_away',
    [`On ${here}: ${message}`, ...nor, ...silent].join(' '),
    'Nothing was done. What lives on another machine is not lost: `synthesis cluster status` shows which are there.',
  );
}

async function reached(state: string, node: string): Promise<RpcConnection | CliError> {
  try {
    return await connectBridge(state, node);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** @returns the other machine that knows a session which this one does not know */
export async function nodeOf(state: string, session: string): Promise<string | undefined> {
  try {
    await callBridgeHere(state, session);
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'no_such_session') return undefined;
  }
  const { others, away } = await otherNodes(state);
  for (const nodes of [others, away]) {
    const answers = await askAll(state, nodes, (bridge) =>
      bridge.call('session.inspect', { session }, patience),
    );
    const found = answers.find((each) => 'value' in each);
    if (found) return found.node;
  }
  return undefined;
}

/** As it is here alone. @throws CliError `no_such_session` */
async function callBridgeHere(state: string, session: string): Promise<void> {
  const connection = await connectBridge(state);
  try {
    await connection.call('session.inspect', { session }, patience);
  } finally {
    connection.close();
  }
}
