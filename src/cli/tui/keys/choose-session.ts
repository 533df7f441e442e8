import { sorted } from '../../sessions/order.ts';
import { withFilter } from '../model/filter.ts';
import { type Model, withUi } from '../model/model.ts';
import { listed, rowOf } from '../model/rows.ts';
import { shownSessions } from '../shown.ts';

/** It can be seen, whatever was filtered out; a transcript that was scrolled belongs to the session before. */
export function chooseSession(model: Model, key: string): Model {
  const shown = shownSessions(model).some(({ session }) => session.key === key);
  const { wanted: _, ...rest } = shown ? model : withFilter(model, 'sessions', '');
  const next: Model = rest;
  return next.ui.session === key ? next : withUi(next, { session: key, transcriptTop: undefined });
}

/** The next session that asks or shows a dialog, round and round. @returns undefined where none does */
export function nextWaiting(model: Model): Model | undefined {
  const keys = sorted(listed(model), 'name', rowOf)
    .map(rowOf)
    .filter(({ state }) => state === 'asking' || state === 'dialog')
    .map(({ key }) => key);
  const next = keys[(keys.indexOf(model.ui.session ?? '') + 1) % keys.length];
  return next === undefined ? undefined : chooseSession(model, next);
}
