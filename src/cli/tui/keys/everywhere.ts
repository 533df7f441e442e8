import { and, only } from '../model/effect.ts';
import { withFilter } from '../model/filter.ts';
import { type Model, type Pane, panes, withUi } from '../model/model.ts';
import { waitingAsks } from '../model/rows.ts';
import { chosenAsk } from '../shown.ts';
import type { Binding } from './binding.ts';
import { chooseSession, nextWaiting } from './choose-session.ts';
import { rewound } from './rewound.ts';

/** Moving to a pane brings it to the front where only one of two is shown. */
export function focusPane(model: Model, pane: Pane): Model {
  if (pane === 'asks' && waitingAsks(model).length === 0) return model;
  const main = pane === 'transcript' || pane === 'frames' ? pane : model.ui.main;
  return withUi(model, { focus: pane, main });
}

function nextPane(model: Model, by: 1 | -1): Model {
  const there = panes.filter((pane) => pane !== 'asks' || waitingAsks(model).length > 0);
  const at = there.indexOf(model.ui.focus);
  return focusPane(model, there.at((at + by + there.length) % there.length) ?? 'sessions');
}

/** The question of the chosen session, else the one that expires first. */
export function openAsk(model: Model): Model {
  const waiting = waitingAsks(model);
  const pointed = model.ui.focus === 'asks' ? chosenAsk(model) : undefined;
  const found = pointed ?? waiting.find(({ session }) => session === model.ui.session) ?? waiting[0];
  if (!found) return toast(model, 'No permission request waits.');
  return withUi(chooseSession(model, found.session), {
    ask: found.ask.code,
    overlay: { name: 'ask', code: found.ask.code, top: 0, read: 0 },
  });
}

const toastMs = 5_000;
export const toast = (model: Model, text: string, tone: 'plain' | 'good' | 'bad' = 'plain'): Model =>
  withUi(model, { toast: { text, tone, until: model.now + toastMs } });

/** What lies on top goes first; with nothing left, the reader is back at the sessions. */
function close(model: Model): Model {
  const { overlay, filters, focus, find } = model.ui;
  if (overlay) return withUi(model, { overlay: overlay.name === 'diff' ? overlay.back : undefined });
  if (filters[focus] !== undefined) return withFilter(model, focus, '');
  if (focus === 'transcript' && find) return withUi(model, { find: undefined });
  return withUi(model, { focus: 'sessions' });
}

const paneKeys: Record<string, Pane> = { '1': 'sessions', '2': 'transcript', '3': 'frames', '4': 'asks' };

/** Lines are as wide as their pane, so that a question has to be read again. */
const zoom = (model: Model): Model => rewound(withUi(model, { zoom: model.ui.zoom ? undefined : true }));

/** Work whatever has the focus, unless text is typed. */
export const everywhere: readonly Binding[] = [
  {
    keys: ['q', 'ctrl+c'],
    show: 'q  Ctrl-C',
    words: 'quit; Claude goes on',
    run: (model) => and(model, { type: 'quit' }),
  },
  {
    keys: ['esc'],
    show: 'Esc',
    words: 'close, show all again, or back to the sessions',
    run: (model) => only(close(model)),
  },
  {
    keys: ['z'],
    show: 'z',
    words: 'the whole screen for it, and back',
    run: (model) => only(zoom(model)),
  },
  {
    keys: ['ctrl+z'],
    show: 'Ctrl-Z',
    words: 'back to the shell; fg returns',
    run: (model) => and(model, { type: 'stop' }),
  },
  {
    keys: ['ctrl+l'],
    show: 'Ctrl-L',
    words: 'draw the screen anew',
    run: (model) => and(model, { type: 'redraw' }),
  },
];

/** Work in every pane, while nothing lies over them. */
export const acrossPanes: readonly Binding[] = [
  { keys: ['tab'], show: 'Tab', words: 'next pane', run: (model) => only(nextPane(model, 1)) },
  {
    keys: ['shift+tab'],
    show: 'Shift-Tab',
    words: 'previous pane',
    run: (model) => only(nextPane(model, -1)),
  },
  {
    keys: ['1', '2', '3', '4'],
    show: '1 2 3 4',
    words: 'sessions, transcript, frames, permissions',
    run: (model, key) => only(focusPane(model, paneKeys[key] ?? 'sessions')),
  },
  {
    keys: ['p'],
    show: 'p',
    words: 'look at the permission request that waits, and its session',
    run: (model) => only(openAsk(model)),
  },
  {
    keys: ['w'],
    show: 'w',
    words: 'go to the next session that waits for you',
    run: (model) => only(nextWaiting(model) ?? toast(model, 'No session waits for you.')),
  },
];
