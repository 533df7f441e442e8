// What the lists show: of all sessions and questions those that pass the reader's filter, in the reader's order.

import type { SessionView } from '../../domain/views/session/session-view.ts';
import { type Order, sorted } from '../sessions/order.ts';
import { healthOf } from '../sessions/words.ts';
import { passes } from './model/filter.ts';
import type { Model } from './model/model.ts';
import { listed, nameOf, rowOf, type WaitingAsk, waitingAsks } from './model/rows.ts';
import { chatOf, waitsFor } from './session-words.ts';

const texts = new WeakMap<SessionView, string>();

function textOf(view: SessionView): string {
  const row = rowOf(view);
  const { key, id, state, claude_session, model, cwd } = row;
  const words = [
    state,
    waitsFor(view, row),
    chatOf(view, row),
    healthOf(row).text,
    claude_session,
    model,
    cwd,
  ];
  const known = texts.get(view) ?? [nameOf({ sessions: new Map() }, key), key, id, ...words].join('\n');
  texts.set(view, known);
  return known;
}

interface Question {
  sessions: Model['sessions'];
  order: Order;
  filter: string;
}

let last: { asked: Question; answer: readonly SessionView[] } | undefined;

/** A screen asks several times for the same list, so the last answer is kept. */
export function shownSessions(model: Pick<Model, 'sessions' | 'homes' | 'ui'>): readonly SessionView[] {
  const { sessions, ui } = model;
  const asked: Question = { sessions, order: ui.order, filter: ui.filters.sessions ?? '' };
  const { asked: before } = last ?? {};
  if (
    !last ||
    before?.sessions !== sessions ||
    before.order !== asked.order ||
    before.filter !== asked.filter
  ) {
    const passing = listed(model).filter((view) =>
      passes(asked.filter, () => `${textOf(view)}\n${model.homes.get(view.session.key) ?? ''}`),
    );
    last = { asked, answer: sorted(passing, asked.order, rowOf) };
  }
  return last.answer;
}

/** Longest beginning of an input that is searched, characters. */
const searched = 4_000;

export function shownAsks(model: Pick<Model, 'sessions' | 'homes' | 'ui'>): WaitingAsk[] {
  const { asks: filter = '' } = model.ui.filters;
  return waitingAsks(model).filter(({ ask, session }) =>
    passes(filter, () =>
      [
        ask.code,
        ask.tool,
        nameOf(model, session),
        session,
        model.homes.get(session) ?? '',
        JSON.stringify(ask.input)?.slice(0, searched),
      ].join('\n'),
    ),
  );
}

/** The chosen question, else the first that waits. */
export const chosenAsk = (model: Model): WaitingAsk | undefined => {
  const waiting = shownAsks(model);
  return waiting.find(({ ask }) => ask.code === model.ui.ask) ?? waiting[0];
};
