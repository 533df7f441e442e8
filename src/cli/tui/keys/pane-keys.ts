import { emptyEditor } from '../editor.ts';
import { type Outcome, only } from '../effect.ts';
import { frameAt, shownFrames } from '../frame-list.ts';
import { layout } from '../layout.ts';
import { type Model, type Pane, withFrames, withUi } from '../model.ts';
import { transcriptCells, transcriptRoom, transcriptTop } from '../panes/transcript.ts';
import { chosenAsk, chosenView, sessionRows, waitingAsks } from '../rows.ts';
import { transcriptLines } from '../transcript.ts';
import { type Binding, clamp, moveKeys, movement } from './binding.ts';
import { focusPane, openAsk } from './everywhere.ts';
import { findKeys } from './find-keys.ts';

const step = (key: string, page: number) => movement(key, page) ?? 0;

function moveSession(model: Model, key: string): Outcome {
  const rows = sessionRows(model);
  const at = rows.findIndex((row) => row.key === model.ui.session);
  const next = rows[clamp(at + step(key, layout(model).heights.sessions - 2), rows.length)];
  if (!next || next.key === model.ui.session) return only(model);
  return only(withUi(model, { session: next.key, transcriptTop: undefined }));
}

/** Scrolling to the end follows it again. */
function moveTranscript(model: Model, key: string): Outcome {
  const view = chosenView(model);
  if (!view) return only(model);
  const { heights, widths } = layout(model);
  const room = transcriptRoom(heights.transcript);
  const count = transcriptLines(view, transcriptCells(widths.transcript)).length;
  const top = transcriptTop(count, room, model.ui.transcriptTop) + step(key, room);
  const end = count - room;
  return only(withUi(model, { transcriptTop: top >= end ? undefined : Math.max(0, top) }));
}

function moveFrames(model: Model, key: string): Outcome {
  const frames = shownFrames(model);
  const at = frameAt(frames, model.ui.frames.at) + step(key, layout(model).heights.frames - 1);
  if (at >= frames.length - 1) return only(withFrames(model, { at: undefined }));
  return only(withFrames(model, { at: frames[Math.max(0, at)]?.seq }));
}

function moveAsks(model: Model, key: string): Outcome {
  const waiting = waitingAsks(model);
  const at = waiting.findIndex(({ ask }) => ask.code === chosenAsk(model)?.ask.code);
  const next = waiting[clamp(at + step(key, layout(model).heights.asks - 1), waiting.length)];
  return only(withUi(model, { ask: next?.ask.code }));
}

function openFrame(model: Model): Outcome {
  const frames = shownFrames(model);
  const row = frames[frameAt(frames, model.ui.frames.at)];
  if (!row) return only(model);
  const held = withFrames(model, { at: row.seq });
  return only(withUi(held, { overlay: { name: 'frame', seq: row.seq, top: 0 } }));
}

const pause = (model: Model): Outcome =>
  only(
    model.ui.frames.pausedAt === undefined
      ? withFrames(model, { pausedAt: model.seq })
      : withFrames(model, { pausedAt: undefined, at: undefined }),
  );

const moves = (show: string, words: string, run: Binding['run']): Binding => ({
  keys: moveKeys,
  show,
  words,
  run,
});

export const paneKeys: Record<Pane, readonly Binding[]> = {
  sessions: [
    moves('↑ ↓  k j', 'choose a session', moveSession),
    {
      keys: ['enter'],
      show: 'Enter',
      words: 'read its transcript',
      run: (model) => only(focusPane(model, 'transcript')),
    },
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
    {
      keys: ['/'],
      show: '/',
      words: 'show only frames that contain a text',
      run: (model) => {
        const { search } = model.ui.frames;
        return only(
          withUi(model, { prompt: { name: 'search', editor: { ...emptyEditor, before: search } } }),
        );
      },
    },
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
  ],
};

/** Shown in the help for every pane that scrolls. */
export const listKeys = [
  { show: 'PgUp PgDn', words: 'a page (also Ctrl-U, Ctrl-D)' },
  { show: 'g G', words: 'first, last (also Home, End)' },
];
