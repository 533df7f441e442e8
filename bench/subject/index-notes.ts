// The work of the indexer without its messages: it brings an index up to date, and says what that took.
import { bringUpToDate } from '../../src/vault/indexing/bring-up-to-date.ts';
import type { IndexOrder } from '../../src/vault/indexing/order.ts';
import { answerLines } from '../harness/heap.ts';
import { taken } from '../harness/taken.ts';

const silent = () => {};
const goesOn = () => false;

console.log(JSON.stringify({ ready: true }));
await answerLines((order) => taken(() => bringUpToDate(order as unknown as IndexOrder, silent, goesOn)));
