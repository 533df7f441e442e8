// N7: how long conversations are nowhere whose machine is gone, once another one knows that it is.
import { NatsServers } from '../../test/support/nats.ts';
import { compare } from '../harness/compare.ts';
import { judgeGrowth } from '../harness/judge-growth.ts';
import type { Place } from '../harness/place.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { bareFetch } from '../reference/bare-fetch.ts';
import { ClusterNode } from '../subject/cluster-node.ts';

const [few, some, many] = [5, 50, 500];
/** Of each conversation; what Claude Code keeps of it comes in as many pieces. */
const turns = 15;
const transcriptBytes = 150_000;
/** Until it is gone, the next machine has as many. */
const turnsBetween = 5;
const message = 'a message of some words, as people write them. '.repeat(10);

const takeoverGoal: Goal = {
  id: 'N7',
  what: `${some} conversations of a machine that is gone, until they live on another one`,
  against: 'reference/bare-fetch.ts: the same messages, fetched and synced',
  atMost: 6,
  most: 1_000,
  whyNotYet: 'Each message of a conversation is asked for when the one before is there.',
};
const growthGoal: Goal = {
  id: 'N7',
  what: `${few}, ${some}, ${many} conversations: power with which the time grows`,
  against: 'a straight line: power 1',
  atMost: 1.05,
  unit: 'power',
  whyNotYet: 'The server looks for the next message of a subject among those of all others.',
};
export const takeoverGoals = [takeoverGoal, growthGoal];

interface Talk {
  keys: readonly string[];
  turns: number;
  /** Bytes that Claude Code keeps of each turn. */
  kept: number;
}

async function talk(node: ClusterNode, { keys, turns: most, kept }: Talk): Promise<void> {
  const one = async (key: string) => {
    for (let n = 0; n < most; n += 1) await node.turn(key, message, kept);
  };
  await Promise.all(keys.map(one));
}

/** Conversations that go from one machine to the next, each of which is gone then. */
class Estate implements AsyncDisposable {
  readonly #begin: (node: string) => Promise<ClusterNode>;
  #owner: ClusterNode;
  #count = 0;

  private constructor(begin: (node: string) => Promise<ClusterNode>, owner: ClusterNode) {
    this.#begin = begin;
    this.#owner = owner;
  }

  static async of(size: number, servers: string[], { home }: Place): Promise<Estate> {
    const begin = async (node: string) => {
      const dir = await home.directory(`${size}-${node}`);
      return ClusterNode.start({ node, name: `estate-${size}`, servers, dir });
    };
    const owner = await begin('n0');
    const keys = Array.from({ length: size }, (_, n) => `work-${n}`);
    await talk(owner, { keys, turns, kept: transcriptBytes / turns });
    return new Estate(begin, owner);
  }

  /** The least that brings as many bytes from the servers to the disk. @returns milliseconds */
  async fetchBare(dir: string): Promise<number> {
    const from = performance.now();
    await bareFetch(this.#owner.connection, this.#owner.stream, dir);
    return performance.now() - from;
  }

  /** @returns milliseconds */
  async takeOver(): Promise<number> {
    const before = this.#owner;
    const { keys } = before;
    await talk(before, { keys, turns: turnsBetween, kept: 0 });
    before.vanish();
    this.#count += 1;
    this.#owner = await this.#begin(`n${this.#count}`);
    const ms = await this.#owner.takeOver(before.node);
    await before[Symbol.asyncDispose]();
    const { length } = this.#owner.keys;
    if (length !== keys.length) throw new Error(`${length} of ${keys.length} conversations were taken over`);
    return ms;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owner[Symbol.asyncDispose]();
  }
}

export async function takeover(place: Place): Promise<Row[]> {
  await using servers = await NatsServers.start();
  await using stack = new AsyncDisposableStack();
  const estates = new Map<number, Estate>();
  for (const size of [few, some, many])
    estates.set(size, stack.use(await Estate.of(size, servers.urls, place)));
  const of = (size: number) => estates.get(size) as Estate;
  let count = 0;
  const fetchBare = async () => of(some).fetchBare(await place.home.directory(`bare-${++count}`));
  const rounds = { subject: () => of(some).takeOver(), reference: fetchBare };
  const row = judge(takeoverGoal, await compare(rounds, { warmup: 2, counted: 7 }));
  const sized = new Map([...estates].map(([size, estate]) => [size, () => estate.takeOver()]));
  return [row, await judgeGrowth(growthGoal, sized, 3)];
}
