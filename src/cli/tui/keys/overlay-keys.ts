import { digestOf } from '../../../domain/question/picture.ts';
import type { Ask } from '../../../domain/state/session.ts';
import { changeOf } from '../diff/change.ts';
import { frameKinds } from '../frames/frame-kind.ts';
import { frameAt, shownFrames } from '../frames/frame-list.ts';
import { layout } from '../layout.ts';
import { emptyEditor, insert } from '../model/editor.ts';
import { and, type Outcome, only } from '../model/effect.ts';
import { type AskOverlay, type Model, type Overlay, withFrames, withUi } from '../model/model.ts';
import { findAsk } from '../model/rows.ts';
import { hasSessionRules, isQuestion } from '../overlays/ask.ts';
import { sheetOf, sheetRoom } from '../overlays/overlay-pane.ts';
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
  return only(withUi(model, { overlay: { ...overlay, ...readSoFar(model, overlay), top: next } }));
}

/** Counts what is on the screen, if it goes on where the lines before it ended. */
function readSoFar(model: Model, overlay: Overlay): { read?: number } {
  if (overlay.name !== 'ask') return {};
  const { room, top } = placeOf(model, overlay);
  return { read: top <= overlay.read ? Math.max(overlay.read, top + room) : overlay.read };
}

const scrolling: Binding = { keys: moveKeys, show: '↑ ↓  k j', words: 'scroll', run: scroll };

function turnPage(model: Model, by: -1 | 1): Outcome {
  const { overlay } = model.ui;
  if (overlay?.name !== 'frame') return only(model);
  const frames = shownFrames(model);
  const next = frames[clamp(frameAt(frames, overlay.n) + by, frames.length)];
  if (!next) return only(model);
  return only(withUi(withFrames(model, { at: next.n }), { overlay: { name: 'frame', n: next.n, top: 0 } }));
}

/** Answers the question that is on the screen, and no other: one that was answered meanwhile stays what it is. */
function answer(model: Model, run: (overlay: AskOverlay, ask: Ask) => Outcome): Outcome {
  const { overlay } = model.ui;
  const found = overlay?.name === 'ask' ? findAsk(model, overlay.code) : undefined;
  if (overlay?.name !== 'ask' || found?.ask.state.name !== 'asked')
    return only(toast(model, 'It is answered already.'));
  return run(overlay, found.ask);
}

/** What was not read is not allowed. */
const ifRead = (model: Model, run: (read: number, overlay: AskOverlay, ask: Ask) => Outcome): Outcome =>
  answer(model, (overlay, ask) => {
    const { read = 0 } = readSoFar(model, overlay);
    if (read >= placeOf(model, overlay).count) return run(read, overlay, ask);
    return only(
      toast(model, 'Read all of it first: scroll down (PgDn); what is jumped over does not count.', 'bad'),
    );
  });

const openAnswer = (model: Model, { code }: Ask, first: string): Outcome =>
  only(withUi(model, { prompt: { name: 'answer', code, editor: insert(emptyEditor, first) } }));

/** The first of two keys: what it would allow is asked about. */
const arm = (scope: 'once' | 'session') => (model: Model) =>
  ifRead(model, (read, overlay, ask) => {
    if (isQuestion(ask)) return openAnswer(model, ask, '');
    if (scope === 'session' && !hasSessionRules(ask))
      return only(toast(model, 'Claude Code suggests nothing for its session: a allows it once.', 'bad'));
    return only(withUi(model, { overlay: { ...overlay, read, armed: scope } }));
  });

/** The number of an option begins an answer. */
const choose = (model: Model, key: string) =>
  ifRead(model, (_read, _overlay, ask) =>
    isQuestion(ask)
      ? openAnswer(model, ask, key)
      : only(toast(model, 'It has no options: a allows, d denies.')),
  );

/** The second key. */
const allow = (model: Model) =>
  answer(model, (overlay, ask) => {
    const { armed: scope } = overlay;
    if (scope === undefined) return only(model);
    const { code } = ask;
    return and(withUi(model, { overlay: undefined }), {
      type: 'call',
      method: 'permission.decide',
      params: { code, verdict: 'allow', scope, door: 'tui', shown: digestOf(ask) },
      done: scope === 'once' ? `${code} allowed` : `${code} allowed for this session`,
    });
  });

const deny = (model: Model) =>
  answer(model, (_, { code }) =>
    only(withUi(model, { prompt: { name: 'reason', code, editor: emptyEditor } })),
  );

/** The change that is asked about, beside its exact text and never in its place. */
const compare = (model: Model) =>
  answer(model, (overlay, ask) => {
    const { code } = ask;
    const change = ask.cut ? undefined : changeOf(ask.tool, ask.input);
    if (!change) return only(toast(model, 'It is no change of a file that could be compared.'));
    const back = { ...overlay, ...readSoFar(model, overlay) };
    const next = { ...model, diffs: new Map() };
    return and(withUi(next, { overlay: { name: 'diff', code, top: 0, back } }), {
      type: 'compare',
      code,
      change,
    });
  });

function leaveDiff(model: Model): Outcome {
  const { overlay } = model.ui;
  return only(overlay?.name === 'diff' ? withUi(model, { overlay: overlay.back }) : model);
}

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
    { keys: ['a'], show: 'a', words: 'allow once (asks first); answer a question', run: arm('once') },
    { keys: [...'123456789'], show: '1-9', words: 'answer a question with that option', run: choose },
    { keys: ['s'], show: 's', words: 'allow for the rest of this session (asks first)', run: arm('session') },
    { keys: ['ctrl+y'], show: 'Ctrl-Y', words: 'yes, after a or s; gives an answer', run: allow },
    { keys: ['d'], show: 'd', words: 'deny, with a reason', run: deny },
    { keys: ['v'], show: 'v', words: 'the change as a diff (Write, Edit), and back', run: compare },
    scrolling,
  ],
  diff: [{ keys: ['v'], show: 'v', words: 'the exact text, to answer', run: leaveDiff }, scrolling],
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
