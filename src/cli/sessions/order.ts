// In what order sessions are listed. Equal ones stand in the order of their keys, so that nothing moves by itself.
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { sessionName } from './names.ts';

export const orders = ['attention', 'recent', 'name', 'context', 'cost'] as const;
export type Order = (typeof orders)[number];

/** Who waits for the operator, what failed, what works, what is idle, what does not run. */
function urgency({ state, failure, agents = [] }: SessionRow): number {
  if (state === 'asking' || state === 'dialog') return 0;
  if (failure !== null) return 1;
  if (state === 'idle' && agents.length === 0) return 3;
  return state === 'stopped' ? 4 : 2;
}

type Compare = (a: SessionRow, b: SessionRow) => number;
const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const recent: Compare = (a, b) => text(b.touched_at, a.touched_at);
/** What is not known comes last. */
const most = (of: (row: SessionRow) => number | null) => (a: SessionRow, b: SessionRow) =>
  (of(b) ?? -1) - (of(a) ?? -1);

const compares: Record<Order, readonly Compare[]> = {
  attention: [(a, b) => urgency(a) - urgency(b), recent],
  recent: [recent],
  name: [(a, b) => text(sessionName(a).toLowerCase(), sessionName(b).toLowerCase())],
  context: [most((row) => row.context_percent), recent],
  cost: [most((row) => row.cost_usd), recent],
};

/** @param rowOf the row of what is sorted */
export function sorted<T>(list: readonly T[], order: Order, rowOf: (each: T) => SessionRow): T[] {
  const rows = list.map((each) => ({ each, row: rowOf(each) }));
  const steps = [...compares[order], (a: SessionRow, b: SessionRow) => text(a.key, b.key)];
  return rows
    .sort((a, b) => {
      for (const step of steps) {
        const result = step(a.row, b.row);
        if (result !== 0) return result;
      }
      return 0;
    })
    .map(({ each }) => each);
}
