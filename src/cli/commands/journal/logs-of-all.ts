// What happened, and what happens, on all machines of a cluster: one line after the other, each with its machine's name.
import { CliError } from '../../cli-error.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { connectBridge } from '../../client/control-client.ts';
import { otherNodes } from '../../client/other-nodes.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { exitCodes } from '../../exit-codes.ts';
import { untilStopped } from '../../output/live/stream-out.ts';
import { say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import type { LinesOptions } from './lines.ts';
import { Merge } from './merge.ts';
import type { FollowWords } from './read-rows.ts';

export interface AllOptions {
  state: string;
  follow: boolean;
  json: boolean;
  tail: number | undefined;
  /** What is done for each machine, by whoever does it for one: nothing of that is loaded twice. */
  show(bridge: RpcConnection, lines: LinesOptions): Promise<void>;
  watch(client: BridgeClient, lines: LinesOptions, words: FollowWords): void;
}

/** @throws CliError when the bridge here does not answer */
export async function logsOfAll(options: AllOptions): Promise<number> {
  const { follow, tail } = options;
  const { here, others, away, doubt } = await otherNodes(options.state);
  const merge = new Merge(tail);
  const linesOf = (node: string): LinesOptions => ({
    json: options.json,
    tail,
    of: { node, to: merge.source() },
  });
  const nodes = [here, ...others].map((node) => ({ node, lines: linesOf(node) }));
  if (doubt !== undefined) say(safeLine(`${doubt} What happens there is not shown.`));
  for (const node of away)
    say(`Node "${node}" is away. What happens there is not shown${follow ? ' until it is back' : ''}.`);
  if (!follow) return await storedOf(options, here, nodes);
  const gone = away.map((node) => ({ node, lines: linesOf(node), isGone: true }));
  return await followed(options, here, [...nodes, ...gone]);
}

interface NodeLines {
  node: string;
  lines: LinesOptions;
  isGone?: boolean;
}

async function storedOf({ state, show }: AllOptions, here: string, nodes: NodeLines[]): Promise<number> {
  const one = async ({ node, lines }: NodeLines) => {
    try {
      const bridge = await connectBridge(state, node);
      try {
        await show(bridge, lines);
      } finally {
        bridge.close();
      }
    } catch (error) {
      if (node === here || !(error instanceof CliError)) throw error;
      say(safeLine(`${error.message} What happened there is not shown.`));
    } finally {
      lines.of?.to.caughtUp();
    }
  };
  return await Promise.race([Promise.all(nodes.map(one)).then(() => exitCodes.ok), untilStopped()]);
}

async function followed({ state, watch }: AllOptions, here: string, nodes: NodeLines[]): Promise<number> {
  const failed = Promise.withResolvers<number>();
  const clients = nodes.map(({ node, lines, isGone = false }) => {
    const client = new BridgeClient({ state, node });
    const { to } = lines.of ?? {};
    // Whoever is not there keeps nobody back.
    client.onLink(({ name }) => name === 'lost' && to?.caughtUp());
    if (isGone) to?.caughtUp();
    watch(client, lines, {
      gone: `Node "${node}" cannot be reached; waiting for it to come back.`,
      back: `Node "${node}" is back.`,
      reset: `The journal of ${node} is another one than before; it is read from its beginning.`,
      isGone,
      failed: (error) => {
        if (node === here) return failed.reject(error);
        say(safeLine(`${error.message} What happens on ${node} is not shown.`));
        to?.caughtUp();
      },
    });
    return client;
  });
  try {
    return await Promise.race([untilStopped(), failed.promise]);
  } finally {
    for (const client of clients) client.close();
  }
}
