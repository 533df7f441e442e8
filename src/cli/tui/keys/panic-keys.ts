// The one key that stops everything. It works wherever no text is typed, and asks first with one more key.
import { and, type Outcome, only } from '../model/effect.ts';
import { type Model, withUi } from '../model/model.ts';
import { boards } from '../nodes/nodes.ts';
import type { Binding } from './binding.ts';
import { toast } from './everywhere.ts';

export type HouseDeed = 'panic' | 'resume';

export const houseDeeds: Record<HouseDeed, { ask: string; done: string }> = {
  panic: { ask: 'Stop everything?', done: 'everything is stopped; U lets it go on' },
  resume: { ask: 'Let everything go on?', done: 'work goes on' },
};

const ask = (model: Model, deed: HouseDeed): Outcome => only(withUi(model, { confirm: { deed } }));

export const panicKeys: readonly Binding[] = [
  {
    keys: ['!'],
    show: '!',
    words: 'PANIC: deny, interrupt and refuse everything (asks first)',
    run: (model) => ask(model, 'panic'),
  },
  {
    keys: ['U'],
    show: 'U',
    words: 'let everything go on after a panic (asks first)',
    run: (model) =>
      boards(model).some(([, { panic }]) => panic)
        ? ask(model, 'resume')
        : only(toast(model, 'Nothing is stopped.')),
  },
];

export const houseDeed = (model: Model, deed: HouseDeed): Outcome =>
  and(model, {
    type: 'call',
    method: `bridge.${deed}`,
    params: { door: 'tui' },
    done: houseDeeds[deed].done,
  });
