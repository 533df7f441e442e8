import type { ControlMethod, ControlMethods } from '../../../domain/views/control.ts';
import type { Notice } from '../../../domain/words/notice.ts';
import type { Change } from '../diff/change.ts';
import type { Model } from './model.ts';

/** One call of the bridge, and what is said when it went well. Failures are said in the bridge's own words. */
export type Call = {
  [M in ControlMethod]: { type: 'call'; method: M; params: ControlMethods[M]['params']; done: string };
}[ControlMethod];

/** What a key wants done outside of the model. */
export type Effect =
  | Call
  | { type: 'quit' }
  /** Something wants the operator's eye. */
  | { type: 'call-operator'; notice: Notice }
  /** Compare what a question would change. */
  | { type: 'compare'; code: string; change: Change }
  /** For the operator's clipboard. `what` begins a sentence. */
  | { type: 'copy'; what: string; text: string }
  /** What proves a decision was typed; without it, it is given up. */
  | { type: 'proof'; id: number; code?: string }
  /** Give the terminal back to the shell until `fg`. */
  | { type: 'stop' }
  /** Draw everything anew. */
  | { type: 'redraw' }
  /** Step into Claude's own screen; `session` is a key. */
  | { type: 'terminal'; session: string };

export interface Outcome {
  model: Model;
  effects: readonly Effect[];
}

export const only = (model: Model): Outcome => ({ model, effects: [] });
export const and = (model: Model, ...effects: Effect[]): Outcome => ({ model, effects });
