// What is meant for every machine of a cluster.
import { CliError } from '../cli-error.ts';
import { say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';
import type { NodeAnswer } from './other-nodes.ts';
import type { RpcConnection } from './rpc-connection.ts';
import { isOneOfMany } from './with-others.ts';

/** Nobody waits longer in the dark for a bridge that hangs, ms. */
export const patience = { timeoutMs: 10_000 };

/**
 * What holds on this machine is to hold on every other one of its cluster.
 * @param words what is said of one that was told; undefined to say nothing
 * @returns undefined where there is no cluster
 */
export async function everywhere<T>(
  state: string,
  ask: (bridge: RpcConnection) => Promise<T>,
  words: ((node: string, value: T) => string) | undefined,
): Promise<NodeAnswer<T>[] | undefined> {
  if (!isOneOfMany(state)) return undefined;
  const { askOtherNodes } = await import('./other-nodes.ts');
  const answers = await askOtherNodes(state, ask).then(
    (asked) => asked.answers,
    (error: unknown): NodeAnswer<T>[] => {
      // What was done here is said in any case.
      if (!(error instanceof CliError)) throw error;
      return [{ node: '*', words: error.message }];
    },
  );
  if (words)
    for (const each of answers) {
      const untold = each.node === '*' ? 'Other nodes may not have been told.' : `${each.node} was not told.`;
      say(safeLine('value' in each ? words(each.node, each.value) : `${untold} ${each.words}`));
    }
  return answers;
}
