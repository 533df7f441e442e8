// Clients that all come at once, on a thread of their own as programs do: what they say may come later than they do.
import { connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Where they go, how many, and what each says as soon as it is connected. */
export interface ManyClients {
  to: { port: number } | { path: string };
  count: number;
  says: string;
  /** Its first group is what counts of the answer. */
  answer: RegExp;
}

/**
 * Lets them come, and each stay until all were answered.
 * @returns how often each answer came; a code of the system, or `closed`, for those that were hung up on
 */
export async function manyClients(clients: ManyClients): Promise<Record<string, number>> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { clients } });
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, number>>();
  worker.once('message', resolve).once('error', reject);
  return await promise.finally(() => worker.terminate());
}

async function come({ to, count, says, answer }: ManyClients): Promise<void> {
  const all = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(to, () => socket.write(says));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('close', () => resolve('closed'));
    let text = '';
    socket.on('data', (data) => {
      text += data;
      const found = answer.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    return promise;
  });
  const answers: Record<string, number> = {};
  for (const each of await Promise.all(all)) answers[each] = (answers[each] ?? 0) + 1;
  parentPort?.postMessage(answers);
}

if (!isMainThread && workerData?.clients) void come(workerData.clients);
