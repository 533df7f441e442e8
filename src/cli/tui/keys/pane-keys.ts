import { orders } from '../../sessions/order.ts';
import { frameAt, shownFrames } from '../frames/frame-list.ts';
import { layout } from '../layout.ts';
import { emptyEditor } from '../model/editor.ts';
import { type Outcome, only } from '../model/effect.ts';
import { type Model, type Pane, withFrames, withUi } from '../model/model.ts';
import { chosenView } from '../model/rows.ts';
import { transcriptLines } from '../model/transcript.ts';
import { transcriptCells, transcriptRoom, transcriptTop } from '../panes/transcript.ts';
import { chosenAsk, shownAsks, shownSessions } from '../shown.ts';
import { type Binding, clamp, moveKeys, movement } from './binding.ts';
import { chooseSession } from './choose-session.ts';
import { focusPane, openAsk } from './everywhere.ts';
import { findKeys } from './find-keys.ts';

const step = (key: string, page: number) => movement(key, page) ?? 0;

function moveSession(model: Model, key: string): Outcome {
  const shown = shownSessions(model);
  const at = shown.findIndex(({ session }) => session.key === model.ui.session);
  const next = shown[clamp(at + step(key, layout(model).heights.sessions - 2), shown.length)];
  return only(next ? chooseSession(model, next.session.key) : model);
}

/** Scrolling to the end follows it again. */
function moveTranscript(model: Model, key: string): Outcome {
  const view = chosenView(model);
  if (!view) return only(model);
  const { heights, widths } = layout(model);
  const room = transcriptRoom(model, heights.transcript);
  const count = transcriptLines(view, transcriptCells(widths.transcript)).length;
  const top = transcriptTop(count, room, model.ui.transcriptTop) + step(key, room);
  const end = count - room;
  return only(withUi(model, { transcriptTop: top >= end ? undefined : Math.max(0, top) }));
}

function moveFrames(model: Model, key: string): Outcome {
  const frames = shownFrames(model);
  const at = frameAt(frames, model.ui.frames.at) + step(key, layout(model).heights.frames - 1);
  if (at >= frames.length - 1) return only(withFrames(model, { at: undefined }));
  return only(withFrames(model, { at: frames[Math.max(0, at)]?.n }));
}

function moveAsks(model: Model, key: string): Outcome {
  const waiting = shownAsks(model);
  const at = waiting.findIndex(({ ask }) => ask.code === chosenAsk(model)?.ask.code);
  const next = waiting[clamp(at + step(key, layout(model).heights.asks - 1), waiting.length)];
  return only(withUi(model, { ask: next?.ask.code }));
}

function openFrame(model: Model): Outcome {
  const frames = shownFrames(model);
  const row = frames[frameAt(frames, model.ui.frames.at)];
  if (!row) return only(model);
  const held = withFrames(model, { at: row.n });
  return only(withUi(held, { overlay: { name: 'frame', n: row.n, top: 0 } }));
}

const pause = (model: Model): Outcome =>
  only(
    model.ui.frames.pausedAt === undefined
      ? withFrames(model, { pausedAt: model.came })
      : withFrames(model, { pausedAt: undefined, at: undefined }),
  );

const moves = (show: string, words: string, run: Binding['run']): Binding => ({
  keys: moveKeys,
  show,
  words,
  run,
});

/** Letters go into the filter from then on, until Enter or Esc. */
const filterKey = (pane: Pane, words: string): Binding => ({
  keys: ['/'],
  show: '/',
  words,
  run: (model) => {
    const { [pane]: before = '' } = model.ui.filters;
    return only(
      withUi(model, { prompt: { name: 'filter', pane, before, editor: { ...emptyEditor, before } } }),
    );
  },
});

function nextOrder(model: Model): Outcome {
  const order = orders[(orders.indexOf(model.ui.order) + 1) % orders.length] ?? 'attention';
  return only(withUi(model, { order }));
}

export const paneKeys: Record<Pane, readonly Binding[]> = {
  sessions: [
    moves('↑ ↓  k j', 'choose a session', moveSession),
    {
      keys: ['enter'],
      show: 'Enter',
      words: 'read its transcript',
      run: (model) => only(focusPane(model, 'transcript')),
    },
    filterKey('sessions', 'show only sessions with these words'),
    { keys: ['o'], show: 'o', words: `order: ${orders.join(', ')}`, run: nextOrder },
  ],
  transcript: [moves('↑ ↓  k j', 'scroll; at its end it follows what comes', moveTranscript), ...findKeys],
  frames: [
    moves('↑ ↓  k j', 'choose a frame; the newest one follows what comes', moveFrames),
    { keys: ['enter'], show: 'Enter', words: 'the whole frame', run: openFrame },
    { keys: ['space'], show: 'Space', words: 'pause, and go on', run: pause },
    {
      keys: ['f'],
      show: 'f',
      words: 'choose the kinds that are shown',
      run: (model) => only(withUi(model, { overlay: { name: 'kinds', at: 0 } })),
    },
    filterKey('frames', 'show only frames with these words'),
    {
      keys: ['o'],
      show: 'o',
      words: 'only the chosen session, and all again',
      run: (model) => only(withFrames(model, { only: !model.ui.frames.only })),
    },
  ],
  asks: [
    moves('↑ ↓  k j', 'choose a request', moveAsks),
    { keys: ['enter'], show: 'Enter', words: 'look at it and answer', run: (model) => only(openAsk(model)) },
    filterKey('asks', 'show only requests with these words'),
  ],
};

/** Shown in the help for every pane that scrolls. */
export const listKeys = [
  { show: 'PgUp PgDn', words: 'a page (also Ctrl-U, Ctrl-D)' },
  { show: 'g G', words: 'first, last (also Home, End)' },
];
