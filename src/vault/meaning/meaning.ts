// The program that knows what notes mean: a child of whoever searches, so that a model of half a gigabyte, native code and
// long computations are nobody else's.
import { argv } from 'node:process';
import { systemClock } from '../../base/time/clock.ts';
import { Meanings } from './meanings.ts';
import { type MeaningCall, type MeaningNews, MeaningOrder } from './messages.ts';

const order = MeaningOrder.parse(JSON.parse(argv[2] ?? ''));

/** What hangs in native code is not waited for, milliseconds: what was put is on disk. */
const closeMs = 5_000;

const tell = (news: MeaningNews): void => {
  // Whoever asked may be gone.
  if (process.connected) process.send?.(news, undefined, undefined, () => {});
};

const meanings = new Meanings({
  ...order,
  clock: systemClock,
  progressed: (progress) => tell({ type: 'progress', progress }),
});

process.on('message', async (call: MeaningCall) => {
  const work = call.type === 'ask' ? meanings.ask(call.words, call.limit) : meanings.follow();
  tell({ type: 'answer', id: call.id, answer: await work });
});
// A model that is being asked must not keep the process.
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), closeMs);
  void meanings.close().finally(() => process.exit());
});
