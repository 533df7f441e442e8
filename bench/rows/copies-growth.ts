// N8: how the work of a node grows with the conversations that the nats-servers have of it, too, and with the nodes.
import { NatsServers } from '../../test/support/nats.ts';
import { judgeGrowth } from '../harness/judge-growth.ts';
import type { Place } from '../harness/place.ts';
import type { Goal, Row } from '../harness/row.ts';
import { ClusterNode } from '../subject/cluster-node.ts';

const conversations = [10, 100, 1_000];
const nodes = [1, 3];
/** Of each node, where there are more or less of these. */
const perNode = 100;
const textsEach = 2;
/** For every size, so that few conversations are repeated until they take as long as many. */
const texts = 2_000;
const text = 'a few words of an answer, as they come: about as much as a line of it has.';

const straight = { id: 'N8', against: 'a straight line: power 1', atMost: 1.05, unit: 'power' } as const;
const conversationsGoal: Goal = {
  ...straight,
  what: `${textsEach} texts in each of ${conversations.join(', ')} conversations, kept on three servers: power with which CPU time grows`,
  whyNotYet: 'Each text looks at the copies of others.',
};
const nodesGoal: Goal = {
  ...straight,
  what: `${nodes.join(' and ')} nodes with ${perNode} such conversations each: power with which their CPU time grows`,
  whyNotYet: 'Each node looks at what others write.',
};
export const copiesGrowthGoals = [conversationsGoal, nodesGoal];

/** Conversations of one node, each in the middle of an answer. */
class Talks implements AsyncDisposable {
  readonly #node: ClusterNode;
  readonly #writes: readonly ((text: string) => Promise<void>)[];

  private constructor(node: ClusterNode, writes: readonly ((text: string) => Promise<void>)[]) {
    this.#node = node;
    this.#writes = writes;
  }

  static async begin(name: string, size: number, servers: string[], { home }: Place): Promise<Talks> {
    const dir = await home.directory(`talks-${name}`);
    const node = await ClusterNode.start({ node: name, name: 'bench', servers, dir });
    const keys = Array.from({ length: size }, (_, n) => `${name}-${n}`);
    const writes: ((text: string) => Promise<void>)[] = [];
    for (const key of keys) writes.push(await node.answer(key));
    return new Talks(node, writes);
  }

  /** One after the other, in one conversation after the other. */
  async write(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.#writes[n % this.#writes.length]?.(text);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#node[Symbol.asyncDispose]();
  }
}

/** CPU time of this process, ms. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

export async function copiesGrowth(place: Place): Promise<Row[]> {
  await using servers = await NatsServers.start(3);
  await using stack = new AsyncDisposableStack();
  const begin = async (name: string, size: number) =>
    stack.use(await Talks.begin(name, size, servers.urls, place));
  const sized = new Map<number, () => Promise<number>>();
  for (const size of conversations) {
    const talks = await begin(`n${size}`, size);
    sized.set(size, async () => ((await cost(() => talks.write(texts))) * size * textsEach) / texts);
  }
  const all = [await begin('mac', perNode), await begin('box', perNode), await begin('pod', perNode)];
  const together = new Map<number, () => Promise<number>>();
  for (const count of nodes) {
    const some = all.slice(0, count);
    together.set(count, () => cost(() => Promise.all(some.map((talks) => talks.write(texts)))));
  }
  return [await judgeGrowth(conversationsGoal, sized, 3), await judgeGrowth(nodesGoal, together, 3)];
}
