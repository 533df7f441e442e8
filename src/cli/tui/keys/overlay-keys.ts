import { emptyEditor } from '../editor.ts';
import { and, type Outcome, only } from '../effect.ts';
import { frameKinds } from '../frame-kind.ts';
import { frameAt, shownFrames } from '../frame-list.ts';
import { layout } from '../layout.ts';
import { type Model, type Overlay, withFrames, withUi } from '../model.ts';
import { isQuestion } from '../overlays/ask.ts';
import { sheetOf, sheetRoom } from '../overlays/overlay-pane.ts';
import { findAsk } from '../rows.ts';
import { clampTop } from '../text/scroll.ts';
import { type Binding, clamp, moveKeys, movement } from './binding.ts';
import { toast } from './everywhere.ts';

interface Place {
  count: number;
  room: number;
  top: number;
}

function placeOf(model: Model, overlay: Overlay): Place {
  const { overlay: rect } = layout(model);
  const room = sheetRoom(rect.height);
  const count = sheetOf(model, overlay, rect.columns).lines.length;
  return { count, room, top: 'top' in overlay ? clampTop(overlay.top, count, room) : 0 };
}

function scroll(model: Model, key: string): Outcome {
  const { overlay } = model.ui;
  if (!overlay || !('top' in overlay)) return only(model);
  const { count, room, top } = placeOf(model, overlay);
  const next = clampTop(top + (movement(key, room) ?? 0), count, room);
  return only(noteSeen(withUi(model, { overlay: { ...overlay, top: next } })));
}

/** A question counts as read once its last line was on the screen. */
function noteSeen(model: Model): Model {
  const { overlay, seen } = model.ui;
  if (overlay?.name !== 'ask' || seen.has(overlay.code)) return model;
  const { count, room, top } = placeOf(model, overlay);
  return top + room >= count ? withUi(model, { seen: new Set([...seen, overlay.code]) }) : model;
}

const scrolling: Binding = { keys: moveKeys, show: '↑ ↓  k j', words: 'scroll', run: scroll };

function turnPage(model: Model, by: -1 | 1): Outcome {
  const { overlay } = model.ui;
  if (overlay?.name !== 'frame') return only(model);
  const frames = shownFrames(model);
  const next = frames[clamp(frameAt(frames, overlay.seq) + by, frames.length)];
  if (!next) return only(model);
  return only(
    withUi(withFrames(model, { at: next.seq }), { overlay: { name: 'frame', seq: next.seq, top: 0 } }),
  );
}

/** Answers the question that is on the screen, and no other: one that was answered meanwhile stays what it is. */
function answer(model: Model, run: (open: Model, code: string, question: boolean) => Outcome): Outcome {
  const { overlay } = model.ui;
  const found = overlay?.name === 'ask' ? findAsk(model, overlay.code) : undefined;
  if (found?.ask.state.name !== 'asked') return only(toast(model, 'It is answered already.'));
  return run(noteSeen(model), found.ask.code, isQuestion(found.ask));
}

const allow = (scope: 'once' | 'session') => (model: Model) =>
  answer(model, (open, code, question) => {
    if (!open.ui.seen.has(code)) return only(toast(open, 'Read it to its end first: scroll down.', 'bad'));
    if (question) return only(withUi(open, { prompt: { name: 'answer', code, editor: emptyEditor } }));
    return and(withUi(open, { overlay: undefined }), {
      type: 'call',
      method: 'permission.decide',
      params: { code, verdict: 'allow', scope, door: 'tui' },
      done: scope === 'once' ? `${code} allowed` : `${code} allowed for this session`,
    });
  });

const deny = (model: Model) =>
  answer(model, (open, code) =>
    only(withUi(open, { prompt: { name: 'reason', code, editor: emptyEditor } })),
  );

function moveKind(model: Model, key: string): Outcome {
  const { overlay } = model.ui;
  if (overlay?.name !== 'kinds') return only(model);
  const at = clamp(overlay.at + (movement(key, frameKinds.length) ?? 0), frameKinds.length);
  return only(withUi(model, { overlay: { name: 'kinds', at } }));
}

function toggleKind(model: Model): Outcome {
  const { overlay, frames } = model.ui;
  const kind = overlay?.name === 'kinds' ? frameKinds[overlay.at] : undefined;
  if (!kind) return only(model);
  const hidden = new Set(frames.hidden);
  if (!hidden.delete(kind)) hidden.add(kind);
  return only(withFrames(model, { hidden }));
}

export const overlayKeys: Record<Overlay['name'], readonly Binding[]> = {
  help: [scrolling],
  info: [scrolling],
  frame: [
    { keys: ['left'], show: '←', words: 'the frame before', run: (model) => turnPage(model, -1) },
    { keys: ['right'], show: '→', words: 'the frame after', run: (model) => turnPage(model, 1) },
    scrolling,
  ],
  ask: [
    { keys: ['a'], show: 'a', words: 'allow once; answer a question', run: allow('once') },
    { keys: ['s'], show: 's', words: 'allow for the rest of this session', run: allow('session') },
    { keys: ['d'], show: 'd', words: 'deny, with a reason', run: deny },
    scrolling,
  ],
  kinds: [
    { keys: moveKeys, show: '↑ ↓  k j', words: 'choose a kind', run: moveKind },
    { keys: ['space', 'enter'], show: 'Space', words: 'show or hide it', run: toggleKind },
    {
      keys: ['a'],
      show: 'a',
      words: 'show all',
      run: (model) => only(withFrames(model, { hidden: new Set() })),
    },
  ],
};
